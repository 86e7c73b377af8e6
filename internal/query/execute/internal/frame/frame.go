// Package frame is what all operators and expressions of a run share: the row, which each operator
// changes in place before it calls the next one, the graph, and what is counted.
package frame

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// Emit takes the row that the frame has. An operator is one as well: run, it makes its rows and
// emits each to the next.
type Emit func() error

// Input makes an operator of a child: one that emits its rows to next.
type Input func(next Emit) Emit

// Nothing takes a row that matters only for what it has changed.
func Nothing() error { return nil }

// Frame is what all operators of a run share.
type Frame struct {
	Ctx     context.Context
	Row     []value.Value // by slot
	Graph   Graph
	Params  map[string]value.Value
	Call    function.Call
	Counted Counters
	Budget  *budget.Budget
	TempDir string // where spools lie
	Writes  bool   // the plan changes the graph
	// Procedures have the functions that ask for the graph.
	Procedures *procedure.Procedures
	Changed    func(context.Context) error // called for each row, if it is there
	ticks      uint
	deleted    map[uint64]ends // relationships that the run has deleted
}

// Counters are what a run has changed.
type Counters struct {
	NodesCreated, NodesDeleted                 int64
	RelationshipsCreated, RelationshipsDeleted int64
	PropertiesSet                              int64
	LabelsAdded, LabelsRemoved                 int64
}

// New is a frame of a plan with so many slots. Its functions have one clock and one source of chance.
func New(ctx context.Context, slots int, graph Graph, params map[string]value.Value, b *budget.Budget) *Frame {
	now := time.Now()
	f := &Frame{Ctx: ctx, Row: make([]value.Value, slots), Graph: graph, Params: params, Budget: b}
	f.Call = function.Call{Transaction: now, Statement: now, Realtime: time.Now,
		Random: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), Charge: b.Transient}
	return f
}

// Part is a frame with a row of its own, for a goroutine that reads a part of the graph.
func (f *Frame) Part(ctx context.Context, graph Graph, b *budget.Budget) *Frame {
	part := &Frame{Ctx: ctx, Row: append([]value.Value(nil), f.Row...), Graph: graph, Params: f.Params, Call: f.Call,
		Budget: b, TempDir: f.TempDir, Procedures: f.Procedures}
	part.Call.Charge = b.Transient
	return part
}

// Tick is called for each row that is made, and now and then looks whether to go on.
func (f *Frame) Tick() error {
	const every = 1024
	if f.Changed != nil {
		if err := f.Changed(f.Ctx); err != nil {
			return budget.Refused("a change", err)
		}
	}
	if f.ticks++; f.ticks%every != 0 {
		return nil
	}
	return f.Ctx.Err()
}

// Pass emits a row, and lets go of the values that were made for it.
func (f *Frame) Pass(next Emit) error {
	before := f.Budget.Temporary()
	err := next()
	f.Budget.Settle(before)
	return err
}

// FirstOf is the first error, if there is one, else the second.
func FirstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// ends of a relationship, and its type.
type ends struct {
	start, end uint64
	typ        store.Token
}

// Ends asks the graph; what the run has deleted is still known.
func (f *Frame) Ends(rel uint64) (start, end uint64, typ store.Token, err error) {
	if e, ok := f.deleted[rel]; ok {
		return e.start, e.end, e.typ, nil
	}
	return f.Graph.Ends(rel)
}

// DeleteRelationship deletes a relationship whose ends stay known.
func (f *Frame) DeleteRelationship(rel uint64) error {
	start, end, typ, err := f.Graph.Ends(rel)
	if err != nil {
		return err
	}
	if f.deleted == nil {
		f.deleted = map[uint64]ends{}
	}
	f.deleted[rel] = ends{start, end, typ}
	f.Counted.RelationshipsDeleted++
	return f.Graph.DeleteRelationship(rel)
}
