package engine

import (
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// arriving is Apply within a Settle: active vertices wait until they have sent.
type arriving struct {
	applier
	departing []uint64 // the vertices that send in a round
}

// block gives the vertices of a set, in a block, that messages have reached their next state;
// nil: all. A vertex that cannot send before the end of a Settle waits for more until then.
func (a *arriving) block(worker, from, to int, set []uint64) activity.Change {
	if a.code.Improves() {
		return a.improveSome(from, to, set)
	}
	return a.acceptSome(worker, from, to, set)
}

// improveSome is improveBlock for vertices that are active already beside those that were touched.
func (a *arriving) improveSome(from, to int, set []uint64) (all activity.Change) {
	for word := from / 64; word < bitmap.Words(to); word++ {
		touched, c := a.improveWord(word, wordOf(set, word))
		a.active[word] |= touched
		c.Active = uint64(bits.OnesCount64(a.active[word]))
		all = all.And(c, a.code.Spec.Norm)
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

// acceptSome is evaluateBlock for vertices that have sent or received, except those that
// are still to send: what has arrived there waits until then, since Apply takes it that what
// it finds has been sent.
func (a *arriving) acceptSome(worker, from, to int, set []uint64) (all activity.Change) {
	evaluation.Strips(from, to, func(from, to int) {
		var words [vector.Width / 64]uint64
		some := words[:bitmap.Words(to-from)]
		for i := range some {
			some[i] = a.arrived(from/64+i, wordOf(set, from/64+i))
			a.acc.Touched[from/64+i] &^= some[i]
		}
		bitmap.Spans(some, func(first, end int) {
			c := activity.Change{By: a.accept(worker, from+64*first, min(from+64*end, to), some[first:end])}
			all = all.And(c, a.code.Spec.Norm)
		})
		all.Active += bitmap.Count(a.active[from/64 : bitmap.Words(to)])
	})
	return all
}

// arrived is those of some vertices of a word that have sent or received, and need not send before Apply.
func (a *arriving) arrived(word int, some uint64) uint64 {
	some &^= a.active[word]
	return a.departing[word]&some | a.acc.Reached(word, some)
}

// accept applies what has arrived to some vertices of a strip, and makes those of them
// active whose first column changes.
func (a *arriving) accept(worker, from, to int, some []uint64) (by float64) {
	p := a.code
	if p.Threshold != nil {
		return a.acceptAbove(from, some)
	}
	m := p.Apply.Run(worker, from, to)
	before, after := p.State[0].Slice(from, to), m.Output(0, to-from)
	var words [vector.Width / 64]uint64
	changed := words[:len(some)]
	activity.MarkChanged(changed, before, after)
	for v := range bitmap.Members(some) {
		if p.Spec.Norm == algorithms.NoNorm {
			break
		}
		by = activity.Change{By: by}.And(activity.Change{By: activity.Distance(p.Spec.Norm, before.Slice(v, v+1),
			after.Slice(v, v+1))}, p.Spec.Norm).By
	}
	for k, i := range p.Applied {
		activity.Replace(p.State[i].Slice(from, to), m.Output(k, to-from), some)
	}
	activity.FillSome(a.acc.Sums.Slice(from, to), a.acc.Identity(), some)
	for i, word := range some {
		a.active[from/64+i] |= changed[i] & word
	}
	return by
}

// acceptAbove is accept for a threshold.
func (a *arriving) acceptAbove(from int, some []uint64) (by float64) {
	norm := a.code.Spec.Norm
	for i, word := range some {
		changed, moved := a.code.Threshold.Update(norm, a.acc.Sums.Floats, from+64*i, word)
		a.active[from/64+i] |= changed
		by = activity.Change{By: by}.And(activity.Change{By: moved}, norm).By
	}
	return by
}
