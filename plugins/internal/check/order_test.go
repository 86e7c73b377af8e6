package check_test

import (
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/check"
)

// Of every command, and numbers that are none, exactly those make sense that the contract names.
func TestOrder(t *testing.T) {
	const started = true
	steps := []plugins.Op{plugins.Step, plugins.Apply, plugins.Iterate}
	for name, c := range map[string]struct {
		order check.Order
		more  []plugins.Op // beside Upload and Evict
	}{
		"a procedure": {check.Order{}, []plugins.Op{plugins.Call}},
		"before Init": {check.Order{Program: true}, []plugins.Op{plugins.Init}},
		"after Init":  {check.Order{Program: true, Started: started}, append(steps[:3:3], plugins.Init)},
		"restorable, before Init": {check.Order{Program: true, Plan: plugins.Plan{Restores: true}},
			[]plugins.Op{plugins.Init, plugins.Restore}},
		"settling, before Init": {check.Order{Program: true, Plan: plugins.Plan{Settles: true}}, []plugins.Op{plugins.Init}},
		"settling": {check.Order{Program: true, Plan: plugins.Plan{Settles: true}, Started: started},
			[]plugins.Op{plugins.Init, plugins.Settle}},
		"in parts": {check.Order{Program: true, Plan: plugins.Plan{Restores: true, Parts: true}, Started: started},
			append(steps[:3:3], plugins.Init, plugins.Restore, plugins.Gather, plugins.Deliver)},
		"in parts, settling": {check.Order{Program: true, Plan: plugins.Plan{Restores: true, Parts: true, Settles: true},
			Started: started},
			[]plugins.Op{plugins.Init, plugins.Restore, plugins.Settle, plugins.Deliver}},
		"a network": {check.Order{Program: true, Plan: plugins.Plan{Networks: true}, Started: started},
			[]plugins.Op{plugins.Init, plugins.Step, plugins.Apply, plugins.Pass}},
		"a network piece by piece": {check.Order{Program: true, Plan: plugins.Plan{Networks: true, Grid: true},
			Started: started}, []plugins.Op{plugins.Init, plugins.Pass, plugins.Rows, plugins.Cell, plugins.Reduce,
			plugins.Reduced}},
	} {
		want := map[plugins.Op]bool{}
		for _, op := range append(c.more, plugins.Upload, plugins.Evict) {
			want[op] = true
		}
		for op := range plugins.Op(255) {
			if err := c.order.Check(op); (err == nil) != want[op] || err != nil && plugins.KindOf(err) != plugins.KindInvalid {
				t.Errorf("%s, command %d: %v", name, op, err)
			}
		}
	}
}
