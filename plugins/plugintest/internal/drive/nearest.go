package drive

import (
	"math/bits"

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
	pass, before := 0, uint64(0)
	for ; err == nil && it.Active > 0 && pass <= bound; pass++ {
		for thirds := uint64(1); err == nil && thirds <= 3; thirds++ {
			rows := chunk.Interval{Count: min(thirds*third, uint64(rig.Graph.N()))}
			if it, err = rig.settleSet(rig.choose(rows, ^uint64(0)), 0); err == nil && rig.neverImproves() {
				rig.checkOrder(rows, rig.Talk.Edges-before)
			}
			before = rig.Talk.Edges
		}
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

// checkOrder sees that of a set all have sent that are active, those that have been reached meanwhile among them, and
// that none has more than once: else the best was not the next.
func (rig *Rig) checkOrder(set chunk.Interval, edges uint64) {
	rig.t.Helper()
	for i, word := range rig.State.Active() {
		for ; word != 0; word &= word - 1 {
			if v := i*64 + bits.TrailingZeros64(word); uint64(v) < set.End() {
				rig.t.Errorf("vertex %d waits, though it may send", v)
			}
		}
	}
	if all := rig.entries(); edges > all {
		rig.t.Errorf("%d edges processed, of %d: a vertex has sent more than once", edges, all)
	}
}

// entries is how long all lists are that the session has.
func (rig *Rig) entries() (all uint64) {
	for _, c := range rig.Chunks {
		all += uint64(c.edges)
	}
	return all
}
