package gaining

import (
	"cmp"
	"context"
	"iter"
	"math"

	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/depthfirst"
	"github.com/penstock-db/penstock/internal/negativecycle"
)

// most is how many bytes a search takes of the host's memory for each vertex, and another bit: 16 to find components,
// 8 for what it holds, and if it is in a cycle 12.
const most = 36

// rounding is by what share of its weights a cycle must gain each time around. What gains less may do so by rounding.
const rounding = 1e-9

// search looks for a cycle that gains, among all that some vertices reach, of n:
//
//  1. A cycle lies in a strongly connected component. Those of more than one vertex, or with an edge from a vertex to
//     itself, are kept.
//  2. In each all vertices begin with the same value, as if they had it from outside, and are corrected. That ends,
//     unless a cycle gains: what it gains does not depend on with what it begins, but for rounding.
func search(ctx context.Context, r rule, lists *supply.Lists, some iter.Seq[uint64], n int) (cycle []uint64, why string,
	err error) {
	l := &edges{ctx: ctx, rule: r, lists: lists}
	var members []uint32
	var ends []int // of each component, among members
	components := depthfirst.Search[*edges]{
		Lists: l, Rank: make([]int32, n), Path: make([]uint32, 0, n), At: make([]uint32, 0, n), Done: make([]int32, 0, n),
		Component: func(first uint32, others []int32) error {
			if len(others) == 0 && !l.loops(first) {
				return l.err
			}
			members = append(members, first)
			for _, v := range others {
				members = append(members, uint32(v))
			}
			ends = append(ends, len(members))
			return l.err
		},
	}
	components.Begin()
	for v := range some {
		if err := components.From(ctx, uint32(v)); err != nil || l.err != nil {
			return nil, "", cmp.Or(l.err, err)
		}
	}
	keys, doubtful := make([]float64, n), false
	for _, v := range members {
		keys[v] = r.sign * r.Neutral()
	}
	correct := negativecycle.Search[float64]{
		Keys: keys, Nothing: math.NaN(), Rank: components.Rank, Send: l.send(keys),
		Gains: func(found []uint32) bool {
			doubtful = !l.gains(found)
			return true
		},
		Ring: components.Path[:n], By: components.Done[:n], Mark: components.At[:n], Queued: make([]uint64, (n+63)/64),
	}
	from := 0
	for _, end := range ends {
		found, ended := correct.Component(ctx, members[from:end])
		switch {
		case l.err != nil || ctx.Err() != nil:
			return nil, "", cmp.Or(l.err, ctx.Err())
		case doubtful || !ended:
			return nil, "what a cycle gains may be rounding", nil
		case found != nil:
			for _, v := range found {
				cycle = append(cycle, uint64(v))
			}
			return cycle, "", nil
		}
		from = end
	}
	return nil, "", nil
}

// edges are those of lists, with their weights. After an error there are none.
type edges struct {
	rule
	ctx   context.Context
	lists *supply.Lists
	err   error
}

// Part is v's list.
func (l *edges) Part(v uint32, i int) (neighbors []uint32, base uint32, ok bool) {
	if i > 0 || l.err != nil {
		return nil, 0, false
	}
	neighbors, from, err := l.lists.Of(l.ctx, uint64(v))
	l.err = err
	return neighbors, uint32(from), err == nil
}

// loops tells whether an edge leads from v to itself.
func (l *edges) loops(v uint32) bool {
	list, base, _ := l.Part(v, 0)
	for _, local := range list {
		if base+local == v {
			return true
		}
	}
	return false
}

// each calls do for each edge of v.
func (l *edges) each(v uint32, do func(u uint32, weight float64)) {
	if l.err != nil {
		return
	}
	if l.Property == "" {
		list, base, _ := l.Part(v, 0)
		for _, local := range list {
			do(base+local, l.Same)
		}
		return
	}
	list, weight, base, err := l.lists.Weighted(l.ctx, uint64(v), l.Property)
	l.err = err
	for i, local := range list {
		do(uint32(base)+local, weight(i))
	}
}

// send is negativecycle.Search.Send, of keys.
func (l *edges) send(keys []float64) func(v uint32, to func(u uint32, key float64)) {
	return func(v uint32, to func(u uint32, key float64)) {
		x := keys[v]
		l.each(v, func(u uint32, weight float64) { to(u, l.along(x, weight)) })
	}
}

// gains tells whether a cycle makes a value better by more than rounding: by the sum of its best weights, or of their
// logarithms.
func (l *edges) gains(cycle []uint32) bool {
	var sum, size float64
	for i, v := range cycle {
		next, best := cycle[(i+1)%len(cycle)], math.Inf(1)
		l.each(v, func(u uint32, weight float64) {
			if l.Times {
				weight = math.Log(weight)
			}
			if u == next {
				best = min(best, l.sign*weight)
			}
		})
		sum, size = sum+best, size+math.Abs(best)
	}
	return sum < -rounding*size
}
