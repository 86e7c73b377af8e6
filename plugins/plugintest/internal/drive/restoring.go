package drive

import "github.com/penstock-db/penstock/plugins"

// First is init that must succeed.
func (rig *Rig) First() plugins.Iteration {
	rig.t.Helper()
	it, err := rig.Init()
	if err != nil {
		rig.t.Fatal(err)
	}
	return it
}

// GoOn does count iterations, or passes of Settle, or as many as there are.
func (rig *Rig) GoOn(it plugins.Iteration, count int) plugins.Iteration {
	rig.t.Helper()
	for ; count > 0 && !it.Converged; count-- {
		var err error
		if number := it.Number + 1; rig.Task.Settle {
			it, err = rig.SettlePass(it, number)
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

// Restore goes on from iteration it.
func (rig *Rig) Restore(it plugins.Iteration) (plugins.Iteration, error) {
	rig.t.Helper()
	return rig.iteration(it.Number, plugins.Command{Op: plugins.Restore, Iteration: it})
}
