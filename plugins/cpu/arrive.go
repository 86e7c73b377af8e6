package cpu

import (
	"context"
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// arrive gives those of a set whom something has reached their next state; nil: all. Whoever
// cannot send before the end of a Settle waits for more until then.
func (p *program) arrive(ctx context.Context, set []uint64) error {
	block := p.acceptBlock
	if p.improves() {
		block = p.arriveBlock
	}
	return p.pool.Blocks(ctx, p.n, func(worker, at, from, to int) { p.changes[at] = block(worker, from, to, set) })
}

// arriveBlock is improveBlock for who is active already beside those who were touched.
func (p *program) arriveBlock(_, from, to int, set []uint64) (all change) {
	for word := from / 64; word < bitmap.Words(to); word++ {
		touched, c := p.improveWord(word, wordOf(set, word))
		p.active[word] |= touched
		c.active = uint64(bits.OnesCount64(p.active[word]))
		all = all.and(c, p.spec.Norm)
	}
	return all
}

// wordOf is a word of a set; nil: all.
func wordOf(set []uint64, word int) uint64 {
	if set == nil {
		return ^uint64(0)
	}
	return set[word]
}

// acceptBlock is applyBlock for those who have sent and those who have received, except who
// is still to send: what has arrived there waits until then, since Apply takes it that what
// it finds has been sent.
func (p *program) acceptBlock(worker, from, to int, set []uint64) (all change) {
	strips(from, to, func(from, to int) {
		var words [vector.Width / 64]uint64
		some := words[:bitmap.Words(to-from)]
		for i := range some {
			some[i] = p.arrived(from/64+i) & wordOf(set, from/64+i)
			p.touched[from/64+i] &^= some[i]
		}
		bitmap.Spans(some, func(first, end int) {
			c := change{by: p.accept(worker, from+64*first, min(from+64*end, to), some[first:end])}
			all = all.and(c, p.spec.Norm)
		})
		all.active += bitmap.Count(p.active[from/64 : bitmap.Words(to)])
	})
	return all
}

// arrived is who of a word has sent or received, and need not send before it is told.
func (p *program) arrived(word int) uint64 {
	return (p.departing[word] | p.reached(word)) &^ p.active[word]
}

// reached is who of a word has received something: touched says so of all of them.
func (p *program) reached(word int) uint64 {
	if p.touched[word] != 0 {
		acc := p.acc.Slice(word*64, min(word*64+64, p.n))
		markUnlike(p.touched[word:word+1], acc, identity(p.spec.Reduce, p.accType))
	}
	return p.touched[word]
}

// accept applies what has arrived to some vertices of a strip, and makes those of them
// active whose first column changes.
func (p *program) accept(worker, from, to int, some []uint64) (by float64) {
	if p.threshold != nil {
		return p.threshold.apply(p, from, some, p.active[from/64:])
	}
	m := p.apply.run(worker, from, to)
	before, after := p.state[0].Slice(from, to), m.Output(0, to-from)
	var words [vector.Width / 64]uint64
	changed := words[:len(some)]
	markChanged(changed, before, after)
	for v := range bitmap.Members(some) {
		if p.spec.Norm == algorithms.NoNorm {
			break
		}
		by = change{by: by}.and(change{by: distance(p.spec.Norm, before.Slice(v, v+1), after.Slice(v, v+1))}, p.spec.Norm).by
	}
	for k, i := range p.applied {
		replace(p.state[i].Slice(from, to), m.Output(k, to-from), some)
	}
	fillSome(p.acc.Slice(from, to), identity(p.spec.Reduce, p.accType), some)
	for i, word := range some {
		p.active[from/64+i] |= changed[i] & word
	}
	return by
}
