package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// prepare takes, once an iteration, what depends on the state before it: aggregates,
// and what each active vertex sends.
func (p *program) prepare(ctx context.Context) error {
	if p.begun {
		return nil
	}
	if !p.emptied {
		if err := p.empty(ctx); err != nil {
			return err
		}
	}
	if err := p.pool.Blocks(ctx, p.n, p.prepareBlock); err != nil {
		return err
	}
	p.allPrepared()
	p.begun = true
	return nil
}

// allPrepared follows prepareBlock for all blocks.
func (p *program) allPrepared() {
	p.totalAggregates()
	for _, t := range p.terms() {
		t.settle()
	}
	p.allSend = total(p.changes, p.spec.Norm).active == uint64(p.n)
}

func (p *program) prepareBlock(worker, block, from, to int) {
	if p.mass != nil {
		p.partials[block] = p.mass.sum(from, to)
	}
	if p.aggregates != nil {
		p.sumAggregates(worker, block, from, to)
	}
	switch {
	case p.scaled != nil && p.singles != nil:
		write(p.scaled, p.singles[from:to], from)
	case p.scaled != nil:
		write(p.scaled, p.messages.Floats[from:to], from)
	}
	if p.settling && p.threshold != nil {
		for word := from / 64; word < bitmap.Words(to); word++ {
			p.threshold.catchUp(p, word)
		}
	}
	if p.message != nil {
		p.writeMessages(worker, block, from, to)
	}
	if p.gate != nil {
		p.gate.prepare(worker, from, to)
	}
	if p.hoisted != nil {
		p.writeHoisted(worker, from, to)
	}
}

// sumAggregates sums each aggregate over a block.
func (p *program) sumAggregates(worker, block, from, to int) {
	count := parallel.BlockCount(p.n)
	for k := range p.totals {
		p.partials[k*count+block] = 0
	}
	strips(from, to, func(from, to int) {
		m := p.aggregates.run(worker, from, to)
		for k := range p.totals {
			p.partials[k*count+block] += sum(0, m.Output(k, to-from).Floats)
		}
	})
}

// totalAggregates sums the blocks in order and shows Apply the sums.
func (p *program) totalAggregates() {
	if len(p.totals) == 0 {
		return
	}
	count := parallel.BlockCount(p.n)
	for k, t := range p.totals {
		t.Fill(vector.Scalar{Float: sum(0, p.partials[k*count:(k+1)*count])})
	}
	if p.apply != nil {
		p.apply.settle()
	}
}

// writeMessages computes the messages of a block. A push never reads those of inactive
// vertices; a pull reads all, so theirs are the identity.
func (p *program) writeMessages(worker, block, from, to int) {
	all := noKeys
	p.sending(from, to, func(from, to int) {
		words := p.senders[from/64 : bitmap.Words(to)]
		sent := p.message.run(worker, from, to).Output(0, to-from)
		if p.singles != nil {
			narrow(p.singles[from:to], sent.Floats)
			return
		}
		place := p.messages.Slice(from, to)
		if !shape.Accumulates(p.spec.Reduce) && p.process.Weighting == shape.Unweighted {
			p.order.encode(place.Ints, sent)
			if p.bottomUp != nil {
				all = all.and(keysOf(words, place.Ints))
			}
			return
		}
		place.Copy(sent)
		if p.pulls() && p.spec.Activity == algorithms.Changed {
			silence(place, words, identity(p.spec.Reduce, p.accType))
		}
	})
	if p.bottomUp != nil {
		p.extents[block] = all
	}
}

// sending calls do for strips of a block; in a push, for the parts of them that have senders.
func (p *program) sending(from, to int, do func(from, to int)) {
	strips(from, to, func(from, to int) {
		if p.pulls() {
			do(from, to)
			return
		}
		bitmap.Spans(p.senders[from/64:bitmap.Words(to)], func(first, end int) { do(from+64*first, min(from+64*end, to)) })
	})
}

// silence sets c to nothing where the bit of words is not set.
func silence(c vector.Column, words []uint64, nothing vector.Scalar) {
	for i := range c.Floats {
		if words[i/64]>>(i%64)&1 == 0 {
			c.Floats[i] = nothing.Float
		}
	}
	for i := range c.Ints {
		if words[i/64]>>(i%64)&1 == 0 {
			c.Ints[i] = nothing.Int
		}
	}
}
