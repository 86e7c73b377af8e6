package drive

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// settleSorted has vertices settle in topological order, some at a time; lists that have been sent may still be there.
// All of them together are enough, and each list is gone along once.
func settleSorted(rig *Rig) (plugins.Iteration, error) {
	rig.t.Helper()
	it, err := rig.Init()
	each := (rig.Graph.N() + 2) / 3
	var before []int
	for some := range slices.Chunk(rig.Mode.Sorted, each) {
		if err != nil {
			return it, err
		}
		words := rig.State.Bitmap(rig.Room.Set)
		clear(words)
		for _, v := range append(before, some...) {
			words[v/64] |= 1 << (v % 64)
		}
		if it, err = rig.settleSet(rig.Room.Set, 0); len(before) == 0 {
			before = slices.Clone(some)
		} else {
			before = nil
		}
	}
	if err == nil && it.Active > 0 {
		rig.t.Errorf("%d vertices are active, though all have settled in topological order", it.Active)
	}
	if all := rig.entries(); err == nil && rig.Task.Program.Order == algorithms.Synchronous && rig.Talk.Edges > all {
		rig.t.Errorf("%d edges processed, of %d: a vertex has sent more than once", rig.Talk.Edges, all)
	}
	return it, err
}
