package execute

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// Graph is the transaction that a plan runs in: what it reads and changes.
type Graph = frame.Graph

// Limits of a statement.
type Limits struct {
	Memory int64 // bytes that its operators may hold; 0: no limit
	// called for each row of a plan that changes the graph; nil: changes are not counted
	Changed func(context.Context) error
	TempDir string // where sorting, grouping and rows that wait for a change go on beyond that
}

// Counters are what a statement has done.
type Counters struct {
	frame.Counters
	Operators []OperatorCounters // of PROFILE, by plan.Operator.Number
}

// OperatorCounters are what an operator has done.
type OperatorCounters struct {
	Rows int64
	Time time.Duration // in the operator itself
}

// Run runs a plan and gives its rows to yield, which may keep them. It ends with yield's error,
// if that gives one, or when the context is done. What the run holds is taken from the context's
// account, if it has one: see memory.With. The bytes of a row are yield's to give back there.
func Run(ctx context.Context, p *plan.Plan, graph Graph, params map[string]value.Value, limits Limits,
	yield func(row []value.Value, bytes int64) error) (Counters, error) {
	f := frame.New(ctx, p.Slots, graph, params, budget.New(ctx, limits.Memory, memory.Of(ctx)))
	defer f.Budget.Close()
	f.TempDir, f.Writes, f.Procedures = limits.TempDir, p.Writes, p.Procedures
	if p.Writes {
		f.Changed = limits.Changed
	}
	var measured *profile
	if p.Mode == ast.Profile {
		measured = newProfile(p.Steps)
	}
	run, err := build(f, p.Root, measured, yield)
	if err == nil {
		err = run()
	}
	if err == nil && p.Writes {
		err = graph.CheckDeleted()
	}
	counters := Counters{Counters: f.Counted}
	if measured != nil {
		counters.Operators = measured.operators
	}
	return counters, faulty(err)
}
