package npu

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu/model"
)

// hurry does several steps in one run of the runtime, where the form of the matrix has that, and tells of each. What is
// computed after the last that was wanted is lost, so it waits until as many steps have been done one by one.
// It is false where nothing was done.
func (p *program) hurry(ctx context.Context, tell func(*plugins.Iteration)) (bool, error) {
	if p.rounds < model.Unrolled || len(p.lanes) > 1 || p.part || len(p.sent) > 0 || p.matrix.model == nil {
		return false, nil
	}
	l, v := p.lanes[0], p.matrix.lanes[0]
	p.matrix.gather(v, l, l.active)
	return p.matrix.model.Unroll(ctx, v, func() bool {
		l.acc.ReduceAt(p.spec.Reduce, v.Acc, p.matrix.ids)
		p.turn()
		it := p.Iteration()
		tell(it)
		return !it.Converged
	})
}
