package host

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/plugins"
)

// Without a budget, more than is free is refused, and much of what there might be is said; whoever names one, or has a
// device with memory of its own, knows.
func TestRun_Unasked(t *testing.T) {
	if _, err := pages.Available(); err != nil {
		t.Skip(err)
	}
	const budget = 1 << 20
	for _, c := range []struct {
		name           string
		fixed          uint64
		req            Request
		memory         uint64
		notices, fails bool
	}{
		{name: "little", fixed: budget / 4},
		{name: "much", fixed: budget/4 + 1, notices: true},
		{name: "more than is free", fixed: 1 << 60, fails: true},
		{name: "asked for", fixed: 1 << 60, req: Request{DeviceMemory: budget}},
		{name: "of its own", fixed: 1 << 60, memory: budget},
	} {
		t.Run(c.name, func(t *testing.T) {
			noticed := false
			r := &run{req: c.req, budget: budget, device: plugins.Description{Name: "dense", Memory: c.memory},
				devices: []*device{{plan: plugins.Plan{Fixed: c.fixed}}}, events: Events{Noticed: func(error) { noticed = true }}}
			err := r.unasked()
			var over *BudgetError
			if failed := errors.As(err, &over); failed != c.fails || !failed && err != nil || noticed != c.notices {
				t.Errorf("error %v, noticed %v", err, noticed)
			}
		})
	}
}
