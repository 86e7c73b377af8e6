package solvers

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Progress is where a run stands.
type Progress struct {
	Spec      *algorithms.Program
	N         int
	Iteration int
	Changes   []activity.Change // of each block, by the last iteration
	Places    chunk.Places      // of the active rows' lists, that the next iteration needs
	Looked    plugins.Looked    // in the iteration, of sessions that join
	Cycle     *plugins.Cycle    // along which the state changes for ever; nil: none was found
}

// Last tells whether the program's bound ends it after this iteration.
func (p *Progress) Last() bool { return p.Iteration+1 >= p.Spec.Bound(uint64(p.N)) }

// Report says where the run stands.
func (p *Progress) Report() *plugins.Iteration {
	all := activity.Total(p.Changes, p.Spec.Norm)
	return &plugins.Iteration{
		Number:    p.Iteration,
		Active:    all.Active,
		Change:    all.By,
		Converged: kit.Converged(p.Spec, p.N, p.Iteration, all.Active, all.By) || p.Cycle != nil,
		Places:    p.Places,
		Looked:    p.Looked,
		Cycle:     p.Cycle,
	}
}

// Conclude ends an iteration of a solver: so many vertices send in the next, the first column
// has changed by so much.
func (p *Progress) Conclude(active uint64, by float64) {
	p.Set(active, by)
	p.Iteration++
}

// Diverge ends the run, since values change for ever along a cycle: its vertices are those
// that would send.
func (p *Progress) Diverge(active []uint64, cycle []uint32) {
	clear(active)
	p.Cycle = &plugins.Cycle{}
	for _, v := range cycle {
		active[v/64] |= 1 << (v % 64)
		p.Cycle.Vertices = append(p.Cycle.Vertices, uint64(v))
	}
	p.Conclude(uint64(len(cycle)), math.Inf(1))
}

// Set has the report say that so many vertices send next, after a change by so much.
func (p *Progress) Set(active uint64, by float64) {
	clear(p.Changes)
	if len(p.Changes) > 0 {
		p.Changes[0] = activity.Change{Active: active, By: by}
	}
}

// AllActive tells whether every vertex is active.
func (p *Progress) AllActive() bool {
	return activity.Total(p.Changes, p.Spec.Norm).Active == uint64(p.N)
}
