package plan

import (
	"errors"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// passTerms are those of a procedure on a device that computes it in passes.
func passTerms(t *testing.T, schedule string) (Terms, *device) {
	d := &device{able: plugins.Plan{Passes: true}, fixed: 1000}
	terms := terms(t, schedule, algorithms.Program{}, 0, d)
	terms.Computation.Task = plugins.Task{Procedure: "k-core"}
	return terms, d
}

// A procedure that the device computes in passes needs a slot beside what the device holds. Where all chunks fit, they
// come at once; whatever the budget, the least that will do is the same.
func TestAgree_Passes(t *testing.T) {
	terms, d := passTerms(t, "auto")
	all, least := GraphBytes(terms.Graph)+1000, uint64(1000+leastSlot)
	for _, budget := range []uint64{least, least + 100, all / 4, all - 1, all, 2 * all} {
		terms.Budget = budget
		p, err := Agree(terms)
		if err != nil {
			t.Fatalf("%d bytes: %v", budget, err)
		}
		last := d.asked[len(d.asked)-1]
		if resident := budget >= all; p.Fit.Resident != resident || p.Task.Passes == resident ||
			last.Passes != p.Task.Passes {
			t.Errorf("%d bytes: %+v, compiled last %+v", budget, p.Fit, last)
		}
		if p.Fit.Minimum != least || p.Fit.Together != all || p.Fit.Used > budget || p.Fit.Kept > 0 {
			t.Errorf("%d bytes: %+v; expected %d at least, and %d for all", budget, p.Fit, least, all)
		}
	}
	terms.Budget = least - 1
	var over *BudgetError
	if _, err := Agree(terms); !errors.As(err, &over) || over.Need != least || !strings.Contains(over.Advice, "whole graph") {
		t.Errorf("error %v", err)
	}
}

// A device that does not compute in passes is not asked for them, or leaves them out; the refusal names it. Queues and
// grids have no passes.
func TestAgree_NoPasses(t *testing.T) {
	for name, change := range map[string]func(*Terms, *device){
		"described": func(t *Terms, _ *device) {
			t.Device.Extensions = []plugins.Extension{plugins.ExtensionRestore}
		},
		"planned": func(_ *Terms, d *device) { d.able.Passes = false },
	} {
		terms, d := passTerms(t, "auto")
		terms.Device.Name = "mine"
		change(&terms, d)
		terms.Budget = GraphBytes(terms.Graph)
		var over *BudgetError
		if _, err := Agree(terms); !errors.As(err, &over) || over.Need != GraphBytes(terms.Graph)+1000 ||
			!strings.Contains(err.Error(), "mine needs at once") {
			t.Errorf("%s: error %v", name, err)
		}
		if asked := d.asked[0].Passes; asked != (name == "planned") {
			t.Errorf("%s: asked for passes: %v", name, asked)
		}
	}
	for _, schedule := range []string{"neugraph", "scaph"} {
		terms, d := passTerms(t, schedule)
		terms.Budget = GraphBytes(terms.Graph)
		if _, err := Agree(terms); err == nil || d.asked[0].Passes {
			t.Errorf("%s: error %v, asked %+v", schedule, err, d.asked)
		}
	}
}
