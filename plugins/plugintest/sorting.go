package plugintest

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// settleSorted has vertices settle in topological order, some at a time; lists that have been sent may still be there.
// All of them together are enough, and each list is gone along once.
func settleSorted(rig *rig) (plugins.Iteration, error) {
	rig.t.Helper()
	it, err := rig.init()
	each := (rig.graph.N() + 2) / 3
	var before []int
	for some := range slices.Chunk(rig.mode.sorted, each) {
		if err != nil {
			return it, err
		}
		words := rig.state.bitmap(rig.room.set)
		clear(words)
		for _, v := range append(before, some...) {
			words[v/64] |= 1 << (v % 64)
		}
		if it, err = rig.settleSet(rig.room.set, 0); len(before) == 0 {
			before = slices.Clone(some)
		} else {
			before = nil
		}
	}
	if err == nil && it.Active > 0 {
		rig.t.Errorf("%d vertices are active, though all have settled in topological order", it.Active)
	}
	if all := rig.entries(); err == nil && rig.task.Program.Order == algorithms.Synchronous && rig.talk.edges > all {
		rig.t.Errorf("%d edges processed, of %d: a vertex has sent more than once", rig.talk.edges, all)
	}
	return it, err
}
