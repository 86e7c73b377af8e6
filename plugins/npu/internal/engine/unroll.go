package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu/internal/matrix"
	"github.com/penstock-db/penstock/plugins/npu/model"
)

// unroll does several steps in one run of the runtime, where the form of the matrix has that, and tells of each. What
// is computed after the last that was wanted is lost, so it waits until as many steps have been done one by one. It is
// false where nothing was done.
func (p *Program) unroll(ctx context.Context, m *matrix.Matrix, tell func(*plugins.Iteration)) (bool, error) {
	if p.rounds < model.Unrolled || len(p.lanes) > 1 || p.part || len(p.sent) > 0 {
		return false, nil
	}
	l := p.lanes[0]
	return m.Unroll(ctx, l, func(came model.Lane) bool {
		l.Combine(came.Acc, m.Linked())
		p.turn()
		it := p.Iteration()
		tell(it)
		return !it.Converged
	})
}
