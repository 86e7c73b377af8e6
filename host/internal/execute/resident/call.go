package resident

import (
	"github.com/penstock-db/penstock/algorithms/mega/kept"
	"github.com/penstock-db/penstock/host/internal/checkpoint"
	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/plugins"
)

// call has the device carry out a procedure: at once, or where what it comes to is kept, from one checkpoint to the
// next. The device is not at work while one is written.
func (e executor) call() error {
	row, err := checkpoint.Row(e.Plan, e.State())
	if err != nil {
		return err
	}
	if row == nil {
		last, err := e.Device.Do(plugins.Command{Op: plugins.Call}, e.Progress.Learned)
		if last.Iteration != nil {
			e.Progress.Final = *last.Iteration // with the cycle that is in the way of a result
		}
		return err
	}
	if it, ok := e.Keeper.Read(); ok {
		e.Progress.ResumedFrom = it.Number
	} else {
		kept.Clear(row) // what a damaged file has left there
	}
	for before := e.Progress.ResumedFrom; ; {
		e.Progress.Called()
		if _, err := e.Device.Do(plugins.Command{Op: plugins.Call}, e.Progress.Learned); err != nil {
			return err
		}
		epochs, _, err := kept.Open(row)
		switch {
		case err != nil:
			return violation.Of(e.Plan.Device.Name, "%v", err)
		case epochs == 0:
			return nil
		case epochs <= before:
			return violation.Of(e.Plan.Device.Name, "it has come to epoch %d, and was at %d before", epochs, before)
		}
		before = epochs
		e.Keeper.Keep(plugins.Iteration{Number: epochs})
	}
}
