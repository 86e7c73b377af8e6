package plan

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/plugins"
)

// Without a budget, more than is free is refused, and of much there is a notice; who names a budget, or has a
// device with memory of its own, is asked nothing.
func TestPlan_CheckUnbounded(t *testing.T) {
	const budget, free = 1 << 20, 1 << 30
	for _, c := range []struct {
		name           string
		fixed          uint64
		req            Request
		memory         uint64
		notices, fails bool
	}{
		{name: "little", fixed: budget / 4},
		{name: "much", fixed: budget/4 + 1, notices: true},
		{name: "all that is free", fixed: free, notices: true},
		{name: "more than is free", fixed: free + 1, fails: true},
		{name: "asked for", fixed: 1 << 60, req: Request{DeviceMemory: budget}},
		{name: "of its own", fixed: 1 << 60, memory: budget},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Plan{Computation: Computation{Request: c.req}, Budget: budget,
				Device: plugins.Description{Name: "dense", Memory: c.memory}}
			notice, err := p.CheckUnbounded(c.fixed, free)
			var over *BudgetError
			if failed := errors.As(err, &over); failed != c.fails || !failed && err != nil || (notice != nil) != c.notices {
				t.Errorf("error %v, notice %v", err, notice)
			}
		})
	}
}
