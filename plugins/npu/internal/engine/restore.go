package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
)

// Restore goes on from the state and the active set that an iteration of an earlier session
// has left, or another session of the same program. Accumulators it finds empty.
func (p *Program) Restore(_ context.Context, it plugins.Iteration) error {
	p.iteration, p.rounds = it.Number, it.Number
	clear(p.sent)
	p.lanes[0].Change = it.Change
	p.lanes[0].Forget()
	return nil
}
