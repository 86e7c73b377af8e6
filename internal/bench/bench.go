package bench

import (
	"context"

	"github.com/penstock-db/penstock/internal/bench/internal/dense"
	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/kernels"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/outofcore"
	"github.com/penstock-db/penstock/internal/bench/internal/queries"
	"github.com/penstock-db/penstock/internal/bench/internal/results"
	"github.com/penstock-db/penstock/internal/bench/internal/scaling"
	"github.com/penstock-db/penstock/internal/bench/internal/schedules"
	"github.com/penstock-db/penstock/internal/bench/internal/useful"
)

// What a series is asked for, and how it refuses.
type (
	// Options of every series.
	Options = measure.Options
	// OptionError is an option that asks for what cannot be measured.
	OptionError = measure.OptionError
	// Budgets are the schedules and the shares of memory of a series of Schedules.
	Budgets = schedules.Budgets
	// Grid is the graphs, kernels and limits of a series of DenseDevices.
	Grid = dense.Grid
)

// Defaults of a series.
const (
	DefaultRuns   = measure.DefaultRuns
	DefaultLimit  = measure.DefaultLimit
	DefaultMemory = outofcore.DefaultMemory
)

// Defaults of Schedules and of DenseDevices.
var (
	DefaultSchedules = schedules.DefaultSchedules
	DefaultShares    = schedules.DefaultShares
	DefaultGrid      = dense.DefaultGrid
)

// GraphNames tells how graphs are named.
func GraphNames() []string { return graphs.GraphNames() }

// KernelNames are what Options.Kernels may hold.
func KernelNames() []string { return kernel.KernelNames() }

// DenseKernels are what Grid.Kernels may hold.
func DenseKernels() []string { return dense.DenseKernels() }

// Run measures kernels beside other programs. See kernels.Run.
func Run(ctx context.Context, o Options) (*results.Report, error) { return kernels.Run(ctx, o) }

// Scale measures how the time an edge grows with the graph. See scaling.Scale.
func Scale(ctx context.Context, from, to int, o Options) (*scaling.Scaling, error) {
	return scaling.Scale(ctx, from, to, o)
}

// OutOfCore measures processes with little memory. See outofcore.OutOfCore.
func OutOfCore(ctx context.Context, memory uint64, o Options) (*results.Report, error) {
	return outofcore.OutOfCore(ctx, memory, o)
}

// Schedules measures devices with little memory, by every schedule. See schedules.Schedules.
func Schedules(ctx context.Context, b Budgets, o Options) (*schedules.Streaming, error) {
	return schedules.Schedules(ctx, b, o)
}

// Useful measures which edges an iteration has use for. See useful.Useful.
func Useful(ctx context.Context, o Options) (*useful.Usefulness, error) { return useful.Useful(ctx, o) }

// Query measures statements in Cypher. See queries.Query.
func Query(ctx context.Context, o Options) (*queries.Queries, error) { return queries.Query(ctx, o) }

// DenseDevices measures the dense device beside the sparse one. See dense.DenseDevices.
func DenseDevices(ctx context.Context, g Grid, o Options) (*dense.Dense, error) {
	return dense.DenseDevices(ctx, g, o)
}
