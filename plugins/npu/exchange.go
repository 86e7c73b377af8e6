package npu

import (
	"context"
	"iter"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// Gather writes what has come to a column of accumulators, and forgets it.
func (p *program) Gather(_ context.Context, to algorithms.Values, among []uint64) error {
	l, column := p.lanes[0], vector.View(to)
	for v := range members(among, p.n) {
		column.Slice(v, v+1).Copy(l.acc.Slice(v, v+1))
	}
	l.forget()
	clear(p.sent)
	return nil
}

// Deliver takes what another session has gathered or, in a task that settles, what it knows.
func (p *program) Deliver(_ context.Context, from algorithms.Values, among []uint64) error {
	l, column := p.lanes[0], vector.View(from)
	for v := range members(among, p.n) {
		if !p.settling {
			l.acc.Slice(v, v+1).Reduce(l.spec.Reduce, column.Slice(v, v+1))
		} else if improve(l.spec.Reduce, l.state[0], v, column, v) {
			l.active[v/64] |= 1 << (v % 64)
		}
	}
	return nil
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
