package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
)

// start evaluates the initial state, empties the accumulators and says who sends first.
func (p *program) start(ctx context.Context) error {
	p.started, p.iteration, p.begun = true, 0, false
	return p.pool.blocks(ctx, p.n, func(worker, block, from, to int) {
		p.changes[block] = change{}
		strips(from, to, func(from, to int) {
			p.startStrip(worker, from, to)
			p.changes[block].active += p.firstActive(from, to)
		})
	})
}

func (p *program) startStrip(worker, from, to int) {
	m := p.init.run(worker, from, to)
	for i, state := range p.state {
		state.Slice(from, to).Copy(m.Output(i, to-from))
	}
	switch {
	case pulls(p.spec.Reduce):
		p.acc.Slice(from, to).Fill(identity(p.spec.Reduce, p.accType))
	case p.improves():
		p.order.encode(p.keys[from:to], p.state[0].Slice(from, to))
		clear(p.touched[from/64 : wordCount(to)])
	default:
		p.forgetKeys(from, to)
	}
}

// forgetKeys sets the accumulators of a push back to the identity.
func (p *program) forgetKeys(from, to int) {
	key := p.order.scalar(identity(p.spec.Reduce, p.accType))
	for v := from; v < to; v++ {
		p.keys[v] = key
	}
	clear(p.touched[from/64 : wordCount(to)])
}

// firstActive sets the active bits of a strip and counts them.
func (p *program) firstActive(from, to int) uint64 {
	words := p.active[from/64 : wordCount(to)]
	if p.spec.Activity == algorithms.Always {
		return setAll(words, to-from)
	}
	nothing := vector.Broadcast(identity(p.spec.Reduce, p.spec.State[0].Type), to-from)
	return markChanged(words, nothing, p.state[0].Slice(from, to))
}

// setAll sets the first n bits of words and clears the rest.
func setAll(words []uint64, n int) uint64 {
	clear(words)
	for v := range n {
		words[v/64] |= 1 << (v % 64)
	}
	return uint64(n)
}
