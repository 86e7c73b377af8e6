package engine

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/compile"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/kit"
)

// progress is where a run stands.
type progress struct {
	started   bool // Init or Restore has run
	prepared  bool // messages and aggregates are of the current state
	hasInputs bool // on the card
	newer     bool // the card has a newer state than the arena
	adding    bool // of intervals: sources come to the same destinations
	iteration int
	sent      uint64 // edges, by what has been told
	counters  kernels.Counters
}

// count takes counters of the card, and tells how many edges have been sent along since the last.
func (r *progress) count(c kernels.Counters) (edges uint64) {
	edges = c.Edges - r.sent
	r.counters, r.sent = c, c.Edges
	return edges
}

// report says where a run of a program stands.
func (r *progress) report(of *compile.Program) *plugins.Iteration {
	it := &plugins.Iteration{Number: r.iteration, Active: r.counters.Active, Change: r.counters.Change}
	if of.Settling {
		it.Converged = it.Active == 0
	} else {
		it.Converged = kit.Converged(of.Spec, of.N, r.iteration, it.Active, it.Change)
	}
	return it
}
