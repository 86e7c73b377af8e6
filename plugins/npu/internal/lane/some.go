package lane

import (
	"iter"

	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Depart takes the active vertices of a set out of the active set, into departing, and tells whether there are any.
func (l *Lane) Depart(set, departing []uint64) bool {
	var any uint64
	for i, word := range l.Active {
		departing[i] = word & set[i]
		l.Active[i] = word &^ set[i]
		any |= departing[i]
	}
	return any != 0
}

// Take improves the first column of the vertices at these numbers, and makes those active that this changes.
func (l *Lane) Take(values vector.Column, at []uint32) {
	order := ordering.Of(l.Spec.Reduce)
	for i, v := range at {
		l.improve(order, int(v), order.At(&values, i))
	}
}

// Combine adds what has come to the vertices at these numbers to their accumulators.
func (l *Lane) Combine(values vector.Column, at []uint32) {
	l.Acc.ReduceAt(l.Spec.Reduce, values, at)
}

// Gather writes the accumulators of some vertices, nil: all, to a column, and empties all.
func (l *Lane) Gather(to vector.Column, among []uint64) {
	for v := range members(among, l.n) {
		to.Slice(v, v+1).Copy(l.Acc.Slice(v, v+1))
	}
	l.Forget()
}

// Deliver combines what another session has gathered for some vertices, nil: all, with their accumulators.
func (l *Lane) Deliver(gathered vector.Column, among []uint64) {
	for v := range members(among, l.n) {
		l.Acc.Slice(v, v+1).Reduce(l.Spec.Reduce, gathered.Slice(v, v+1))
	}
}

// Overhear takes over what is better in the state of another session, which may be writing it.
func (l *Lane) Overhear(state vector.Column, among []uint64) {
	order := ordering.Of(l.Spec.Reduce)
	for v := range members(among, l.n) {
		l.improve(order, v, order.Published(&state, v))
	}
}

// improve takes over a value that is better than the state of v, and makes v active then.
func (l *Lane) improve(order ordering.Order, v int, key int64) {
	if order.Improve(&l.State[0], v, key) {
		l.Active[v/64] |= 1 << (v % 64)
	}
}

// members are the vertices of a bitmap; nil: all.
func members(set []uint64, n int) iter.Seq[int] {
	if set != nil {
		return bitmap.Members(set)
	}
	return func(yield func(int) bool) {
		for v := range n {
			if !yield(v) {
				return
			}
		}
	}
}
