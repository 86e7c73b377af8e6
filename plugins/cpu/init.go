package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// start evaluates the initial state and says who sends first.
func (p *program) start(ctx context.Context) error {
	p.started, p.iteration, p.begun, p.emptied = true, 0, false, false
	err := p.pool.Blocks(ctx, p.n, func(worker, block, from, to int) {
		p.changes[block] = change{}
		strips(from, to, func(from, to int) {
			m := p.init.run(worker, from, to)
			for i, state := range p.state {
				state.Slice(from, to).Copy(m.Output(i, to-from))
			}
			p.changes[block].active += p.firstActive(from, to)
		})
	})
	if err == nil && p.stepper != nil {
		err = p.stepper.begin(ctx)
	}
	return err
}

// empty makes the accumulators ready for the first messages; a solver may never ask for it.
func (p *program) empty(ctx context.Context) error {
	p.emptied = true
	terms := p.terms()
	for _, t := range terms {
		t.settle()
	}
	return p.pool.Blocks(ctx, p.n, func(worker, _, from, to int) {
		for _, t := range terms {
			t.fill(worker, from, to)
		}
		if p.mass != nil {
			p.mass.fill(worker, from, to)
		}
		p.await(from, to)
	})
}

// await makes the accumulators of some vertices ready for messages.
func (p *program) await(from, to int) {
	if !p.improves() {
		p.forget(from, to)
		return
	}
	p.order.encode(p.keys[from:to], p.state[0].Slice(from, to))
	clear(p.touched[from/64 : bitmap.Words(to)])
}

// forgetKeys sets the accumulators of a push back to the identity.
func (p *program) forgetKeys(from, to int) {
	key := p.order.scalar(identity(p.spec.Reduce, p.accType))
	for v := from; v < to; v++ {
		p.keys[v] = key
	}
	clear(p.touched[from/64 : bitmap.Words(to)])
}

// firstActive sets the active bits of a strip and counts them.
func (p *program) firstActive(from, to int) uint64 {
	words := p.active[from/64 : bitmap.Words(to)]
	if p.spec.Activity == algorithms.Always {
		return bitmap.Fill(words, to-from)
	}
	return markUnlike(words, p.state[0].Slice(from, to), identity(p.spec.Reduce, p.spec.State[0].Type))
}
