package execute

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// Limits of a statement.
type Limits struct {
	Memory  int64                       // bytes that its operators may hold; 0: no limit
	Changed func(context.Context) error // called for each row of a plan that changes the graph; nil: nobody counts changes
	TempDir string                      // where sorting, grouping and rows that wait for a change go on beyond that
}

// Counters are what a statement has done.
type Counters struct {
	NodesCreated, NodesDeleted                 int64
	RelationshipsCreated, RelationshipsDeleted int64
	PropertiesSet                              int64
	LabelsAdded, LabelsRemoved                 int64
	Operators                                  []OperatorCounters // of PROFILE, by plan.Operator.Number
}

// OperatorCounters are what an operator has done.
type OperatorCounters struct {
	Rows int64
	Time time.Duration // in the operator itself
}

// Run runs a plan and gives its rows to yield, which may keep them. It ends with yield's error,
// if that gives one, or when the context is done. What the run holds is taken from the context's
// account, if it has one: see memory.With. The bytes of a row are yield's to give back there.
func Run(ctx context.Context, p *plan.Plan, graph Graph, params map[string]value.Value, limits Limits, yield func(row []value.Value, bytes int64) error) (Counters, error) {
	f := newFrame(ctx, p, graph, params, limits)
	defer f.memory.close()
	b := &builder{frame: f, yield: yield}
	if p.Mode == profiling {
		b.profile = newProfile(p.Steps)
	}
	run := b.operator(p.Root, nothing)
	err := b.err
	if err == nil {
		err = run()
	}
	if err == nil && p.Writes {
		err = graph.CheckDeleted()
	}
	if b.profile != nil {
		f.counters.Operators = b.profile.counters()
	}
	return f.counters, faulty(err)
}

func nothing() error { return nil }

// frame is what all operators of a run share.
type frame struct {
	ctx      context.Context
	row      []value.Value
	graph    Graph
	params   map[string]value.Value
	call     function.Call
	counters Counters
	ticks    uint
	memory   holdings
	deleted  map[uint64]ends // relationships that the run has deleted
	writes   bool            // the plan changes the graph
}

func newFrame(ctx context.Context, p *plan.Plan, graph Graph, params map[string]value.Value, limits Limits) *frame {
	now := time.Now()
	f := &frame{ctx: ctx, row: make([]value.Value, p.Slots), graph: graph, params: params, memory: holdings{limits: limits, account: memory.Of(ctx)}, writes: p.Writes}
	f.call = function.Call{Transaction: now, Statement: now, Realtime: time.Now, Random: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), Charge: f.transient}
	return f
}

// tick is called for each row that is made, and now and then looks whether to go on.
func (f *frame) tick() error {
	const every = 1024
	if f.writes && f.memory.limits.Changed != nil {
		if err := f.memory.limits.Changed(f.ctx); err != nil {
			return refused("a change", err)
		}
	}
	if f.ticks++; f.ticks%every != 0 {
		return nil
	}
	return f.ctx.Err()
}
