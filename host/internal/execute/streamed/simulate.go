package streamed

import (
	"slices"

	"github.com/penstock-db/penstock/internal/regret"
	"github.com/penstock-db/penstock/internal/schedule"
)

// simulate prepares to compare a schedule with those that the run could have had as well: auto decides by what its own
// run has measured, and what needs local convergence cannot do without. Where lists do not matter none is simulated.
func (w *watch) simulate(own schedule.Schedule) (*regret.Simulation, error) {
	if w.Degrees == nil || w.Plan.Devices > 1 {
		return regret.New(nil)
	}
	names := []string{own.Name}
	for _, name := range schedule.Names() {
		parsed, err := schedule.Parse(name)
		if err != nil {
			return nil, err
		}
		possible := w.Plan.Settling || parsed.Needs.Settle != schedule.Required
		if possible && !parsed.Needs.Measures && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return regret.New(names)
}
