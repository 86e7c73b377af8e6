package engine

import (
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
)

// applier makes the next state, and the next active set, from what has arrived.
type applier struct {
	code    *compile.Code
	acc     *kernels.Accumulators
	active  []uint64
	share   *kernels.Share // nil: all vertices
	partial bool           // other sessions read the state meanwhile
}

// block applies to the vertices [from, to) of a block, as far as they are in the share.
func (a *applier) block(worker, from, to int) activity.Change {
	if a.share != nil {
		if from, to = a.share.Clip(from, to); from >= to {
			return activity.Change{}
		}
	}
	p := a.code
	switch {
	case p.Improves():
		return a.improveBlock(from, to)
	case p.Affine != nil:
		by := p.Affine.Apply(p.Spec.Norm, a.acc.Sums.Floats[from:to], p.State[0].Floats[from:to], from)
		return activity.Change{Active: uint64(to - from), By: by}
	case p.Threshold != nil:
		return a.thresholdBlock(from, to)
	}
	return a.evaluateBlock(worker, from, to)
}

// evaluateBlock evaluates Apply for every vertex of a block, all columns together, and
// empties the accumulators behind it.
func (a *applier) evaluateBlock(worker, from, to int) (all activity.Change) {
	p := a.code
	evaluation.Strips(from, to, func(from, to int) {
		m := p.Apply.Run(worker, from, to)
		before, after := p.State[0].Slice(from, to), m.Output(0, to-from)
		c := activity.Change{Active: uint64(to - from), By: activity.Distance(p.Spec.Norm, before, after)}
		if p.Spec.Activity == algorithms.Changed {
			c.Active = activity.MarkChanged(a.active[from/64:bitmap.Words(to)], before, after)
		}
		all = all.And(c, p.Spec.Norm)
		for k, i := range p.Applied {
			p.State[i].Slice(from, to).Copy(m.Output(k, to-from))
		}
		a.acc.Clear(from, to)
	})
	return all
}

// thresholdBlock is evaluateBlock for a threshold.
func (a *applier) thresholdBlock(from, to int) (all activity.Change) {
	p := a.code
	for word := from / 64; word < bitmap.Words(to); word++ {
		changed, by := p.Threshold.Update(p.Spec.Norm, a.acc.Sums.Floats, 64*word, bitmap.Within(word, 0, to))
		if a.active[word] = changed; a.acc.Touched != nil {
			a.acc.Touched[word] = 0
		}
		all = all.And(activity.Change{Active: uint64(bits.OnesCount64(changed)), By: by}, p.Spec.Norm)
	}
	return all
}

// improveBlock is Apply for a program whose state only improves: the accumulators are
// the next state already, and only touched vertices have changed.
func (a *applier) improveBlock(from, to int) (all activity.Change) {
	p := a.code
	for word := from / 64; word < bitmap.Words(to); word++ {
		touched, c := a.improveWord(word, ^uint64(0))
		if p.Spec.Activity == algorithms.Changed {
			a.active[word] = touched
			c.Active = uint64(bits.OnesCount64(touched))
		}
		all = all.And(c, p.Spec.Norm)
	}
	if p.Spec.Activity == algorithms.Always {
		all.Active = uint64(to - from)
	}
	return all
}

// improveWord does it for some vertices of a word, and returns those of them that were touched.
func (a *applier) improveWord(word int, some uint64) (touched uint64, all activity.Change) {
	touched = a.acc.Touched[word] & some
	a.acc.Touched[word] &^= touched
	for rest := touched; rest != 0; rest &= rest - 1 {
		v := word*64 + bits.TrailingZeros64(rest)
		all = all.And(activity.Change{By: a.improve(v)}, a.code.Spec.Norm)
	}
	return touched, all
}

// improve gives v the state that its accumulator holds, and returns how far it moved.
func (a *applier) improve(v int) float64 {
	first, key, order := &a.code.State[0], a.acc.Keys[v], a.acc.Order
	old, new := ordering.Number(first, v), order.Number(first, key)
	if a.partial {
		order.Publish(first, v, key)
	} else {
		order.Put(first, v, key)
	}
	return activity.Moved(a.code.Spec.Norm, old, new)
}
