package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// finish ends an iteration: the next state from the accumulators, who sends next.
func (p *program) finish(ctx context.Context) error {
	if p.stepper != nil {
		return p.stepper.turn(ctx)
	}
	if err := p.prepare(ctx); err != nil { // when no chunk was stepped
		return err
	}
	if err := p.pool.Blocks(ctx, p.n, p.turnBlock()); err != nil {
		return err
	}
	p.iteration++
	p.begun = false
	return nil
}

// turn is finish and the next iteration's prepare in one pass over the state.
func (p *program) turn(ctx context.Context) error {
	finish := p.turnBlock()
	err := p.pool.Blocks(ctx, p.n, func(worker, block, from, to int) {
		finish(worker, block, from, to)
		p.prepareBlock(worker, block, from, to)
	})
	if err != nil {
		return err
	}
	p.allPrepared()
	p.iteration++
	return nil
}

// applyToBlock is Apply in the form that suits the program.
func (p *program) applyToBlock() func(worker, block, from, to int) {
	if p.improves() {
		return p.improveBlock
	}
	if p.affine != nil {
		return func(_, block, from, to int) {
			by := p.affine.apply(p.spec.Norm, p.acc.Floats[from:to], p.state[0].Floats[from:to], from)
			p.changes[block] = change{active: uint64(to - from), by: by}
		}
	}
	if p.threshold != nil {
		return p.thresholdBlock
	}
	return p.applyBlock
}

// applyBlock evaluates Apply for every vertex of a block, all columns together, and
// empties the accumulators behind it.
func (p *program) applyBlock(worker, block, from, to int) {
	all := change{}
	strips(from, to, func(from, to int) {
		m := p.apply.run(worker, from, to)
		before, after := p.state[0].Slice(from, to), m.Output(0, to-from)
		c := change{active: uint64(to - from), by: distance(p.spec.Norm, before, after)}
		if p.spec.Activity == algorithms.Changed {
			c.active = markChanged(p.active[from/64:bitmap.Words(to)], before, after)
		}
		all = all.and(c, p.spec.Norm)
		for k, i := range p.applied {
			p.state[i].Slice(from, to).Copy(m.Output(k, to-from))
		}
		p.forget(from, to)
	})
	p.changes[block] = all
}

// received is acc as Apply sees it, a source.
func (p *program) received(worker, from, to int) vector.Column {
	if shape.Accumulates(p.spec.Reduce) {
		return p.acc.Slice(from, to)
	}
	values := p.decoded[worker].Slice(0, to-from)
	p.order.decode(values, p.keys[from:to])
	return values
}

// forget empties the accumulators of a strip.
func (p *program) forget(from, to int) {
	if shape.Accumulates(p.spec.Reduce) {
		p.acc.Slice(from, to).Fill(identity(p.spec.Reduce, p.accType))
		if p.touched != nil {
			clear(p.touched[from/64 : bitmap.Words(to)])
		}
		return
	}
	p.forgetKeys(from, to)
}
