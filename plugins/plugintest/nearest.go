package plugintest

import (
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// settleNearest has ever more vertices settle in the order of values, with their lists and no others: of the first
// third of the vertices, of the first two, of all. The last of these should be enough; edges that make a message better
// may take more.
func (rig *rig) settleNearest() (plugins.Iteration, error) {
	rig.t.Helper()
	it, err := rig.init()
	bound, third := rig.task.Program.Bound(uint64(rig.graph.N())), uint64(rig.graph.N()+2)/3
	pass := 0
	for ; err == nil && it.Active > 0 && pass <= bound; pass++ {
		for thirds := uint64(1); err == nil && thirds <= 3; thirds++ {
			rows := chunk.Interval{Count: min(thirds*third, uint64(rig.graph.N()))}
			if it, err = rig.settleSet(rig.choose(rows, ^uint64(0)), 0); err == nil && rig.neverImproves() {
				rig.checkOrder(rows)
			}
		}
	}
	if all := rig.entries(); err == nil && rig.neverImproves() && rig.talk.edges > all {
		rig.t.Errorf("%d edges processed, of %d: a vertex has sent more than once", rig.talk.edges, all)
	}
	it.Number = min(pass, bound)
	return it, err
}

// neverImproves tells whether no edge makes a message better, as far as the program alone says: it reads no weight, or
// refuses those that would.
func (rig *rig) neverImproves() bool {
	p := rig.task.Program
	return len(p.EdgeColumns) == 0 || p.Diverged != ""
}

// checkOrder sees that of the active vertices of a set, which may send, and all others the best is another: else the
// device has ended too early.
func (rig *rig) checkOrder(set chunk.Interval) {
	rig.t.Helper()
	first := rig.state.column(rig.state.computed()[0])
	best, mine := -1, -1
	for i, word := range rig.state.active() {
		for ; word != 0; word &= word - 1 {
			v := i*64 + bits.TrailingZeros64(word)
			if uint64(v) < set.End() {
				if mine < 0 || rig.better(first, v, mine) {
					mine = v
				}
			} else if best < 0 || rig.better(first, v, best) {
				best = v
			}
		}
	}
	if mine >= 0 && (best < 0 || !rig.better(first, best, mine)) {
		rig.t.Errorf("vertex %d waits, though it may send, and no active vertex outside of the set is nearer", mine)
	}
}

// better tells whether the value of a is better than that of b.
func (rig *rig) better(values algorithms.Values, a, b int) bool {
	less := func(a, b int) bool {
		if values.Ints != nil {
			return values.Ints[a] < values.Ints[b]
		}
		return values.Floats[a] < values.Floats[b]
	}
	if rig.task.Program.Reduce == algorithms.Max {
		return less(b, a)
	}
	return less(a, b)
}

// entries is how long all lists are that the session has.
func (rig *rig) entries() (all uint64) {
	for _, c := range rig.chunks {
		all += uint64(c.edges)
	}
	return all
}
