package cpu

import (
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/bitmap"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
)

// applier makes the next state, and the next active set, from what has arrived.
type applier struct {
	code    *code
	acc     *accumulators
	active  []uint64
	share   *ownShare // nil: all vertices
	partial bool      // other sessions read the state meanwhile
}

// block applies to the vertices [from, to) of a block, as far as they are in the share.
func (a *applier) block(worker, from, to int) change {
	if a.share != nil {
		if from, to = a.share.clip(from, to); from >= to {
			return change{}
		}
	}
	p := a.code
	switch {
	case p.improves():
		return a.improveBlock(from, to)
	case p.affine != nil:
		by := p.affine.apply(p.spec.Norm, a.acc.sums.Floats[from:to], p.state[0].Floats[from:to], from)
		return change{active: uint64(to - from), by: by}
	case p.threshold != nil:
		return a.thresholdBlock(from, to)
	}
	return a.evaluateBlock(worker, from, to)
}

// evaluateBlock evaluates Apply for every vertex of a block, all columns together, and
// empties the accumulators behind it.
func (a *applier) evaluateBlock(worker, from, to int) (all change) {
	p := a.code
	strips(from, to, func(from, to int) {
		m := p.apply.run(worker, from, to)
		before, after := p.state[0].Slice(from, to), m.Output(0, to-from)
		c := change{active: uint64(to - from), by: distance(p.spec.Norm, before, after)}
		if p.spec.Activity == algorithms.Changed {
			c.active = markChanged(a.active[from/64:bitmap.Words(to)], before, after)
		}
		all = all.and(c, p.spec.Norm)
		for k, i := range p.applied {
			p.state[i].Slice(from, to).Copy(m.Output(k, to-from))
		}
		a.acc.clear(from, to)
	})
	return all
}

// thresholdBlock is evaluateBlock for a threshold.
func (a *applier) thresholdBlock(from, to int) (all change) {
	p := a.code
	for word := from / 64; word < bitmap.Words(to); word++ {
		changed, by := p.threshold.update(p.spec.Norm, a.acc.sums.Floats, 64*word, within(word, 0, to))
		if a.active[word] = changed; a.acc.touched != nil {
			a.acc.touched[word] = 0
		}
		all = all.and(change{active: uint64(bits.OnesCount64(changed)), by: by}, p.spec.Norm)
	}
	return all
}

// improveBlock is Apply for a program whose state only improves: the accumulators are
// the next state already, and only touched vertices have changed.
func (a *applier) improveBlock(from, to int) (all change) {
	p := a.code
	for word := from / 64; word < bitmap.Words(to); word++ {
		touched, c := a.improveWord(word, ^uint64(0))
		if p.spec.Activity == algorithms.Changed {
			a.active[word] = touched
			c.active = uint64(bits.OnesCount64(touched))
		}
		all = all.and(c, p.spec.Norm)
	}
	if p.spec.Activity == algorithms.Always {
		all.active = uint64(to - from)
	}
	return all
}

// improveWord does it for some vertices of a word, and returns those of them that were touched.
func (a *applier) improveWord(word int, some uint64) (touched uint64, all change) {
	touched = a.acc.touched[word] & some
	a.acc.touched[word] &^= touched
	for rest := touched; rest != 0; rest &= rest - 1 {
		v := word*64 + bits.TrailingZeros64(rest)
		all = all.and(change{by: a.improve(v)}, a.code.spec.Norm)
	}
	return touched, all
}

// improve gives v the state that its accumulator holds, and returns how far it moved.
func (a *applier) improve(v int) float64 {
	first, key, order := &a.code.state[0], a.acc.keys[v], a.acc.order
	old, new := numberAt(first, v), order.number(first, key)
	if a.partial {
		order.publish(first, v, key)
	} else {
		order.put(first, v, key)
	}
	return moved(a.code.spec.Norm, old, new)
}

// numberAt is the value of v as a number.
func numberAt(c *vector.Column, v int) float64 {
	switch {
	case c.Floats != nil:
		return c.Floats[v]
	case c.Ints != nil:
		return float64(c.Ints[v])
	default:
		return zeroOne(c.Bools[v])
	}
}

// number is the value of a key, of the type of c, as a number.
func (o keyOrder) number(c *vector.Column, key int64) float64 {
	switch {
	case c.Floats != nil:
		return o.toFloat(key)
	case c.Ints != nil:
		return float64(o.int(key))
	default:
		return zeroOne(o.toBool(key))
	}
}
