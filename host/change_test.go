package host

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
)

// A report can be written whatever its iterations did.
func TestReport_JSONOfAnyChange(t *testing.T) {
	snap := random(testseed.Rand(t), 20, 60, true, false, false).stored(t, 0)
	for name, c := range map[string]struct {
		apply string
		null  bool
	}{
		"infinite": {"inf", true},
		"NaN":      {"inf - inf", true},
		"finite":   {"self.x + 0.5", false},
	} {
		t.Run(name, func(t *testing.T) {
			p := &algorithms.Program{Name: name, Reduce: algorithms.Sum, Norm: algorithms.L1, Activity: algorithms.Always,
				MaxIterations: 2,
				State: []algorithms.State{{Name: "x", Init: algorithms.Expr{Source: "0.0"},
					Apply: algorithms.Expr{Source: c.apply}}},
				Process: algorithms.Expr{Source: "src.x"}}
			for _, schedule := range Schedules {
				report := mustRun(t, snap, Request{Program: p, Schedule: schedule}).Report
				text, err := json.Marshal(report)
				if err != nil {
					t.Fatal(err)
				}
				var back struct {
					PerIteration []struct{ Change *float64 } `json:"per_iteration"`
				}
				if err := json.Unmarshal(text, &back); err != nil || len(back.PerIteration) == 0 {
					t.Fatalf("%v: %s", err, text)
				}
				if change := back.PerIteration[0].Change; (change == nil) != c.null {
					t.Errorf("%s: %s", schedule, text)
				}
			}
		})
	}
}

func TestChange_JSON(t *testing.T) {
	changes := []Change{0, 0.1, -3, Change(math.MaxFloat64), Change(math.Inf(1)), Change(math.Inf(-1)), Change(math.NaN())}
	text, err := json.Marshal(changes)
	if want := "[0,0.1,-3,1.7976931348623157e+308,null,null,null]"; err != nil || string(text) != want {
		t.Fatalf("%s, %v", text, err)
	}
	var back []Change
	if err := json.Unmarshal(text, &back); err != nil || !slices.Equal(back[:4], changes[:4]) ||
		!math.IsNaN(float64(back[6])) {
		t.Errorf("%v, %v", back, err)
	}
}
