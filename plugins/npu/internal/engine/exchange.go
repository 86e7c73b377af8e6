package engine

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Gather writes what has come to a column of accumulators, and forgets it.
func (p *Program) Gather(_ context.Context, to algorithms.Values, among []uint64) error {
	p.lanes[0].Gather(vector.View(to), among)
	clear(p.sent)
	return nil
}

// Deliver takes what another session has gathered or, in a task that settles, its state.
func (p *Program) Deliver(_ context.Context, from algorithms.Values, among []uint64) error {
	if p.settling {
		p.lanes[0].Overhear(vector.View(from), among)
	} else {
		p.lanes[0].Deliver(vector.View(from), among)
	}
	return nil
}
