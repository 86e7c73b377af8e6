package plugintest

import "github.com/penstock-db/penstock/plugins"

// first is init that must succeed.
func (rig *rig) first() plugins.Iteration {
	rig.t.Helper()
	it, err := rig.init()
	if err != nil {
		rig.t.Fatal(err)
	}
	return it
}

// goOn does count iterations, or passes of Settle, or as many as there are.
func (rig *rig) goOn(it plugins.Iteration, count int) plugins.Iteration {
	rig.t.Helper()
	for ; count > 0 && !it.Converged; count-- {
		var err error
		if number := it.Number + 1; rig.task.Settle {
			it, err = rig.settlePass(it, number)
			it.Number = number
		} else {
			it, err = rig.streamPass(it)
		}
		if err != nil {
			rig.t.Fatal(err)
		}
	}
	return it
}

// restore goes on from iteration it.
func (rig *rig) restore(it plugins.Iteration) (plugins.Iteration, error) {
	rig.t.Helper()
	return rig.iteration(it.Number, plugins.Command{Op: plugins.Restore, Iteration: it})
}
