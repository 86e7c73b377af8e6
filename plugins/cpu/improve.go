package cpu

import (
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// improveBlock is Apply for a program whose state only improves: the accumulators are
// the next state already, and only touched vertices have changed.
func (p *program) improveBlock(_, block, from, to int) {
	all := change{}
	for word := from / 64; word < bitmap.Words(to); word++ {
		touched, c := p.improveWord(word, ^uint64(0))
		if p.spec.Activity == algorithms.Changed {
			p.active[word] = touched
			c.active = uint64(bits.OnesCount64(touched))
		}
		all = all.and(c, p.spec.Norm)
	}
	if p.spec.Activity == algorithms.Always {
		all.active = uint64(to - from)
	}
	p.changes[block] = all
}

// improveWord does it for some vertices of a word, and tells which of them were touched.
func (p *program) improveWord(word int, some uint64) (touched uint64, all change) {
	touched = p.touched[word] & some
	p.touched[word] &^= touched
	for rest := touched; rest != 0; rest &= rest - 1 {
		v := word*64 + bits.TrailingZeros64(rest)
		all = all.and(change{by: p.improve(v)}, p.spec.Norm)
	}
	return touched, all
}

// improve gives v the state that its accumulator holds, and tells how far it moved.
func (p *program) improve(v int) float64 {
	var old, new float64
	switch first, key := p.state[0], p.keys[v]; {
	case first.Floats != nil:
		old, new = first.Floats[v], p.order.toFloat(key)
	case first.Ints != nil:
		old, new = float64(first.Ints[v]), float64(p.order.int(key))
	default:
		old, new = zeroOne(first.Bools[v]), zeroOne(p.order.toBool(key))
	}
	if p.partial {
		p.publish(v)
	} else {
		p.put(v)
	}
	return moved(p.spec.Norm, old, new)
}

// put gives v the state that its accumulator holds.
func (p *program) put(v int) {
	switch first, key := p.state[0], p.keys[v]; {
	case first.Floats != nil:
		first.Floats[v] = p.order.toFloat(key)
	case first.Ints != nil:
		first.Ints[v] = p.order.int(key)
	default:
		first.Bools[v] = p.order.toBool(key)
	}
}
