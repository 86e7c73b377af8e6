package schedule_test

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/schedule"
)

// What the host prepares for a run follows from Needs alone, so a schedule that asks for a grid or a queue must ask for
// what these are made of.
func TestNeeds_Consistent(t *testing.T) {
	names := schedule.Names()
	if names[0] != "auto" || len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Errorf("schedules are listed as %v", names)
	}
	for _, name := range names {
		s, err := schedule.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		n := s.Needs
		switch {
		case n.Grid && !n.Demand, n.Queue && !n.Demand, n.Queue && n.Settle != schedule.Required, n.Grid &&
			n.Settle != schedule.Never, n.Streams && n.Pins:
			t.Errorf("%s needs %+v", name, n)
		}
	}
}
