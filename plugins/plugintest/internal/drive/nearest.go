package drive

import (
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// settleNearest has ever more vertices settle in the order of values, with their lists and no others: of the first
// third of the vertices, of the first two, of all. The last of these should be enough; edges that make a message better
// may take more.
func (rig *Rig) settleNearest() (plugins.Iteration, error) {
	rig.t.Helper()
	it, err := rig.Init()
	bound, third := rig.Task.Program.Bound(uint64(rig.Graph.N())), uint64(rig.Graph.N()+2)/3
	pass := 0
	for ; err == nil && it.Active > 0 && pass <= bound; pass++ {
		for thirds := uint64(1); err == nil && thirds <= 3; thirds++ {
			rows := chunk.Interval{Count: min(thirds*third, uint64(rig.Graph.N()))}
			if it, err = rig.settleSet(rig.choose(rows, ^uint64(0)), 0); err == nil && rig.neverImproves() {
				rig.checkOrder(rows)
			}
		}
	}
	if all := rig.entries(); err == nil && rig.neverImproves() && rig.Talk.Edges > all {
		rig.t.Errorf("%d edges processed, of %d: a vertex has sent more than once", rig.Talk.Edges, all)
	}
	it.Number = min(pass, bound)
	return it, err
}

// neverImproves tells whether no edge makes a message better, as far as the program alone says: it reads no weight, or
// refuses those that would.
func (rig *Rig) neverImproves() bool {
	p := rig.Task.Program
	return len(p.EdgeColumns) == 0 || p.Diverged != ""
}

// checkOrder sees that of the active vertices of a set, which may send, and all others the best is another: else the
// device has ended too early.
func (rig *Rig) checkOrder(set chunk.Interval) {
	rig.t.Helper()
	first := rig.State.Column(rig.State.Computed()[0])
	best, mine := -1, -1
	for i, word := range rig.State.Active() {
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
func (rig *Rig) better(values algorithms.Values, a, b int) bool {
	less := func(a, b int) bool {
		if values.Ints != nil {
			return values.Ints[a] < values.Ints[b]
		}
		return values.Floats[a] < values.Floats[b]
	}
	if rig.Task.Program.Reduce == algorithms.Max {
		return less(b, a)
	}
	return less(a, b)
}

// entries is how long all lists are that the session has.
func (rig *Rig) entries() (all uint64) {
	for _, c := range rig.Chunks {
		all += uint64(c.edges)
	}
	return all
}
