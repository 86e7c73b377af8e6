// Package gaining looks for a cycle around which values get better for ever, before a run goes iteration by iteration:
//
//	weights of all edges ──one gains?──▶ lists, from what is active ──depth first──▶ components ──corrected──▶ a cycle
//
// or grow for ever, as sums do that come round (sums.go):
//
//	lists, from values above 0 ──sorted──▶ a cycle
//
// Iterations would show it after as many as there are vertices, or as it takes numbers to end, and not at all where a
// product comes to 0 by rounding. To look takes up to 36 bytes and a bit a vertex of the host's memory, and up to half
// of what is free; nothing where no edge gains.
// A device that has all chunks to itself may look by itself (plugins.ExtensionCycles).
package gaining

import (
	"context"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Begun is with what a run has begun.
type Begun struct {
	Active schedule.Bitmap
	First  []byte // the first column of the state
}

// Verdict is what a search for such a cycle comes to.
type Verdict int

const (
	Absent  Verdict = iota // a run reaches none
	Found                  // the run has ended
	Unknown                // it could not be told, or was not looked for
)

// Find looks for such a cycle among what a run reaches whose state is where its plan says. If there is one the run has
// ended. If that cannot be told beforehand the run's user is told why.
func Find(ctx context.Context, e *execute.Env) (Verdict, error) {
	at, begun := e.Plan.Task.Layout, Begun{}
	active, err := e.State().Uint64s(at.Active)
	if err == nil {
		begun.Active = active
		begun.First, err = e.State().Bytes(at.Columns[e.Plan.Inputs()].Range)
	}
	if err != nil {
		return Unknown, err
	}
	return FindFrom(ctx, e, begun)
}

// FindFrom is Find where the state is elsewhere.
func FindFrom(ctx context.Context, e *execute.Env, begun Begun) (Verdict, error) {
	if addsUp(e.Plan) {
		return findSum(ctx, e, arrow.Float64Traits.CastFromBytes(begun.First))
	}
	if improves(e.Plan) {
		return Absent, nil
	}
	r, ok := ruleOf(e.Plan)
	if !ok {
		return Unknown, nil
	}
	if v, err := r.gaining(ctx, e); v != Found || err != nil {
		return v, err
	}
	cycle, why, err := look(ctx, e, r.Property, func(lists *supply.Lists, n uint64) ([]uint64, string, error) {
		return search(ctx, r, lists, begun.Active.Members(chunk.Interval{Count: n}), int(n))
	})
	if why != "" {
		e.Events.Noticed(fmt.Errorf("whether values get better for ever around a cycle shows in as many iterations as there "+
			"are vertices, and not at all where numbers end: %s", why))
	}
	return verdict(e, cycle, why), err
}

// verdict ends a run for which a cycle has been found. why: it could not be told.
func verdict(e *execute.Env, cycle []uint64, why string) Verdict {
	switch {
	case cycle != nil:
		e.Progress.Final.Cycle, e.Progress.Final.Converged = &plugins.Cycle{Vertices: cycle}, true
		return Found
	case why != "":
		return Unknown
	}
	return Absent
}

// improves tells whether values only improve, to an end, whatever the edges are.
func improves(p *plan.Plan) bool {
	program := p.Task.Program
	return program != nil && program.Order == algorithms.Monotone && program.Diverged == "" && !program.Exactly
}

// rule is what edges make of values.
type rule struct {
	algorithms.Weighting
	sign float64 // with which less is better
}

// ruleOf is that of a plan; ok is false where no cycle can be in the way of a result, or a device looks for it.
func ruleOf(p *plan.Plan) (r rule, ok bool) {
	program := p.Task.Program
	if program == nil || program.Order != algorithms.Monotone || program.Diverged == "" || program.Exactly || p.Settling {
		return rule{}, false
	}
	if r.Weighting, ok = program.Weighting(); !ok {
		return rule{}, false
	}
	if r.sign = 1; program.Reduce == algorithms.Max {
		r.sign = -1
	}
	return r, true
}

// along is what an edge makes of x, of which less is better.
func (r rule) along(x, weight float64) float64 {
	if !r.Times {
		weight *= r.sign
	}
	return r.Along(x, weight)
}

// gaining tells whether an edge makes a value better: Found, or Absent; with odd weights it is Unknown, and no cycle is
// looked for.
func (r rule) gaining(ctx context.Context, e *execute.Env) (v Verdict, err error) {
	largest := r.sign < 0
	if r.Property == "" {
		return r.of(r.Same, largest), nil
	}
	for i := range e.Plan.Chunks {
		c, lasting, err := e.Supply.View(ctx, i)
		if err != nil {
			return Unknown, err
		}
		weight, ok := c.Number(r.Property)
		if !ok {
			v = Unknown
		}
		for k := 0; v != Unknown && k < c.Edges(); k++ {
			v = max(v, r.of(weight(k), largest))
		}
		if !lasting {
			c.Release()
		}
		if v == Unknown || ctx.Err() != nil {
			return Unknown, ctx.Err()
		}
	}
	return v, nil
}

// of is gaining for one edge.
func (r rule) of(weight float64, largest bool) Verdict {
	switch {
	case r.Odd(weight):
		return Unknown
	case r.Gains(weight, largest):
		return Found
	}
	return Absent
}

// look searches lists with an edge property, if there is one, for the cycle, along its edges; or says why it cannot.
func look(ctx context.Context, e *execute.Env, property string,
	search func(lists *supply.Lists, vertices uint64) ([]uint64, string, error)) (cycle []uint64, why string, err error) {
	n := e.Plan.Graph.Manifest().Vertices
	directions := plugins.Directions(e.Plan.Edges, false, e.Plan.Graph.Manifest().Directed)
	switch {
	case len(directions) > 1:
		return nil, "messages go both ways along each edge", nil
	case e.Plan.Fit.Scarce:
		return nil, "what is read of chunks does not stay in memory", nil
	}
	if free, err := pages.Available(); err == nil {
		why = tooMany(n, free)
	} else {
		why = tooMany(n, math.MaxUint64) // nobody knows
	}
	if why != "" {
		return nil, why, nil
	}
	senders, err := senders(e, directions[0], property)
	if err != nil {
		return nil, "", err
	}
	defer senders.Release()
	if passing := senders.Passing(); passing.Cause != plan.Ordered {
		return nil, passing.String(), nil
	}
	return search(senders.Lists(), n)
}

// tooMany says why so many vertices are too many, beside so much memory that is free; empty: they are not.
func tooMany(vertices, free uint64) string {
	switch {
	case vertices >= math.MaxInt32/2:
		return fmt.Sprintf("it is looked for among fewer than %d vertices", math.MaxInt32/2)
	case vertices*most > free/2:
		return fmt.Sprintf("to look for one takes %d bytes of the host's memory, of which %d are free", vertices*most, free)
	}
	return ""
}

// senders supplies the chunks whose rows send.
func senders(e *execute.Env, d chunk.Direction, property string) (*supply.Supply, error) {
	if d == chunk.Both {
		d = chunk.Out // the name of the only set
	}
	chunks, err := e.Plan.Computation.Chunks(e.Plan.Graph, d)
	if err != nil {
		return nil, err
	}
	var properties []string
	if property != "" {
		properties = []string{property}
	}
	return supply.New(e.Snap, e.Supply.Cache, chunks, properties, e.Rec), nil
}
