// Package gaining looks for a cycle around which values get better for ever, before a run goes iteration by iteration:
//
//	weights of all edges ──one gains?──▶ lists, from what is active ──depth first──▶ components ──corrected──▶ a cycle
//
// Iterations would show it after as many as there are vertices, and not at all where a product comes to 0 by rounding.
// Where an edge gains it takes up to 36 bytes and a bit a vertex of the host's memory, and up to half of what is free.
// A device that has all chunks to itself may look by itself (plugins.ExtensionCycles).
package gaining

import (
	"context"
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Find looks for such a cycle among what the active vertices of a run reach, which has begun. If there is one the run
// has ended. If that cannot be told beforehand the run's user is told why.
func Find(ctx context.Context, e *execute.Env, active schedule.Bitmap) (found bool, err error) {
	r, ok := ruleOf(e.Plan)
	if !ok {
		return false, nil
	}
	if gains, err := r.anyGains(ctx, e); !gains || err != nil {
		return false, err
	}
	cycle, why, err := r.look(ctx, e, active)
	switch {
	case err != nil:
		return false, err
	case why != "":
		e.Events.Noticed(fmt.Errorf("whether values get better for ever around a cycle shows in as many iterations as there "+
			"are vertices, and not at all where numbers end: %s", why))
	case cycle != nil:
		e.Progress.Final.Cycle, e.Progress.Final.Converged = &plugins.Cycle{Vertices: cycle}, true
		return true, nil
	}
	return false, nil
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

// neutral is what a weight is that changes no value.
func (r rule) neutral() float64 {
	if r.Times {
		return 1
	}
	return 0
}

// along is what an edge makes of x, of which less is better.
func (r rule) along(x, weight float64) float64 {
	if r.Times {
		return x * weight
	}
	return x + r.sign*weight
}

// anyGains tells whether an edge makes a value better. Where one multiplies by 0 or less, or by what is no number, no
// cycle is looked for: it ends all gain, or turns the order of values round.
func (r rule) anyGains(ctx context.Context, e *execute.Env) (gains bool, err error) {
	for i := range e.Plan.Chunks {
		c, lasting, err := e.Supply.View(ctx, i)
		if err != nil {
			return false, err
		}
		weight, ok := c.Number(r.Property)
		for k := 0; ok && k < c.Edges(); k++ {
			w := weight(k)
			if w != w || r.Times && w <= 0 {
				gains, ok = false, false
			}
			gains = gains || r.sign*w < r.sign*r.neutral()
		}
		if !lasting {
			c.Release()
		}
		if !ok || ctx.Err() != nil {
			return false, ctx.Err()
		}
	}
	return gains, nil
}

// look is the cycle, along its edges; or why it cannot be looked for.
func (r rule) look(ctx context.Context, e *execute.Env, active schedule.Bitmap) (cycle []uint64, why string,
	err error) {
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
	senders, err := r.senders(e, directions[0])
	if err != nil {
		return nil, "", err
	}
	defer senders.Release()
	if passing := senders.Passing(); passing.Cause != plan.Ordered {
		return nil, passing.String(), nil
	}
	return search(ctx, r, senders.Lists(), active.Members(chunk.Interval{Count: n}), int(n))
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
func (r rule) senders(e *execute.Env, d chunk.Direction) (*supply.Supply, error) {
	if d == chunk.Both {
		d = chunk.Out // the name of the only set
	}
	chunks, err := e.Plan.Computation.Chunks(e.Plan.Graph, d)
	if err != nil {
		return nil, err
	}
	return supply.New(e.Snap, e.Supply.Cache, chunks, []string{r.Property}, e.Rec), nil
}
