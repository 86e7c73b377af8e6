// Package outofcore measures whole processes that have less memory than the graph takes.
package outofcore

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/kernels"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
	"github.com/penstock-db/penstock/internal/bench/internal/results"
)

// Defaults of OutOfCore. What cannot be limited gets spare as its budget, for the arena.
const (
	DefaultMemory = 80 << 20
	spare         = 64 << 20
)

// OutOfCore measures whole processes, each with all its children held to so many bytes, page
// cache included, by a control group; they begin with nothing of their files in memory. Where
// no group can be made, only the arena is held to 64 MiB, which the report says.
//
// A penstock process gives the device an eighth of the limit beside what it needs at the
// least, for two programs take their share of the rest; GridGraph is told four fifths of the limit, beyond which
// it reads without the cache, but takes no less than a GiB as published: Options.GridMemory is for one that was
// built to count in MiB, which suits it best.
func OutOfCore(ctx context.Context, memory uint64, o measure.Options) (*results.Report, error) {
	if len(o.Kernels) == 0 {
		o.Kernels = []string{"pagerank", "wcc", "bfs"}
	}
	o.GAPBS, o.Kuzu = "", ""
	if err := kernel.Check(o); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(kernel.Chosen(o), func(k kernel.Kernel) bool { return k.Grid == nil }); i >= 0 {
		return nil, &measure.OptionError{Option: "GridGraph program for", Found: strconv.Quote(kernel.Chosen(o)[i].Algorithm),
			Want: "known are pagerank, wcc, bfs"}
	}
	dir, err := os.MkdirTemp("", "penstock-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if o, err = programs.FindPrograms(ctx, o, dir); err != nil {
		return nil, err
	}
	l := &limits{memory: memory, programs: filepath.Join(dir, "bin"), longest: o.Limit}
	if err := l.copyPrograms(o); err != nil {
		return nil, err
	}
	return l.measure(ctx, dir, o)
}

func (l *limits) measure(ctx context.Context, dir string, o measure.Options) (*results.Report, error) {
	report := &results.Report{Setting: measure.NewSetting(o), Limit: l.try(), Memory: l.memory}
	for _, name := range o.Graphs {
		g, err := graphs.Prepare(ctx, dir, name, kernel.Weights(o), o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		measured, err := l.rows(ctx, g, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		report.Graphs = append(report.Graphs, *measured)
		os.RemoveAll(g.Dir)
	}
	report.LoadAfter = measure.LoadAverage()
	return report, nil
}

func (l *limits) rows(ctx context.Context, g *graphs.Graph, o measure.Options) (*results.Graph, error) {
	if o.Grid != "" {
		if err := kernels.Preprocess(ctx, g, o); err != nil {
			return nil, err
		}
	}
	measured := &results.Graph{Name: g.Name, Vertices: g.Vertices, Edges: g.Edges, Bytes: g.Bytes}
	for _, k := range kernel.Chosen(o) {
		k = longer(k)
		o.Step("%s: %s", g.Name, k.Title())
		if err := kernels.Compare(ctx, g, k, nil, o); err != nil {
			return nil, err
		}
		all, err := l.contenders(ctx, g, k, o)
		if err != nil {
			return nil, err
		}
		found, err := measure.Rounds(ctx, all, o.Runs, o.Limit)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Title(), err)
		}
		measured.Kernels = append(measured.Kernels, results.Row{Name: k.Title(), Ways: found})
	}
	return measured, nil
}

// longer is k with as many iterations as GridGraph's paper gives PageRank.
func longer(k kernel.Kernel) kernel.Kernel {
	if k.Algorithm == "pagerank" {
		k.Params, k.Grid = maps.Clone(k.Params), []string{"pagerank", "20"}
		k.Params["iterations"] = "20"
	}
	return k
}

func (l *limits) contenders(ctx context.Context, g *graphs.Graph, k kernel.Kernel,
	o measure.Options) ([]measure.Contender, error) {
	budget, err := l.deviceMemory(ctx, g, k, o)
	if err != nil {
		return nil, err
	}
	args := append(kernels.RunArgs(g, k, o), "--explain", "--device-memory", strconv.FormatUint(budget, 10))
	all := []measure.Contender{l.contender(g, measure.LimitedProcess, "penstock", args)}
	if o.Grid != "" {
		told := strconv.FormatUint(l.gridMemory(o), 10)
		all = append(all, l.contender(g, measure.LimitedGrid, k.Grid[0], append(kernels.GridArgs(g, k), told)))
	}
	return all, nil
}
