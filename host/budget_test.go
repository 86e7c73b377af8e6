package host

import (
	"context"
	"errors"
	"testing"
)

// Below the least budget nothing starts, and the error names that budget: with it, the
// same run succeeds.
func TestRun_BudgetErrorNamesWhatWillDo(t *testing.T) {
	snap := random(seeded(t), 100, 2000, true, false, false).stored(t, 2048)
	for _, algorithm := range []string{"pagerank", "lcc"} {
		t.Run(algorithm, func(t *testing.T) {
			needs, err := Estimate(context.Background(), snap, Request{Algorithm: algorithm})
			if err != nil {
				t.Fatal(err)
			}
			req := Request{Algorithm: algorithm, DeviceMemory: needs.Minimum - 1}
			started := false
			_, err = Run(context.Background(), snap, req, Events{Planned: func(Needs) { started = true }})
			var over *BudgetError
			if !errors.As(err, &over) || over.Need != needs.Minimum || over.Have != req.DeviceMemory {
				t.Fatalf("error %v; the least is %d", err, needs.Minimum)
			}
			if started {
				t.Error("it started all the same")
			}
			req.DeviceMemory = over.Need
			if _, err := Run(context.Background(), snap, req, Events{}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRun_StateAloneOverBudget(t *testing.T) {
	snap := random(seeded(t), 100, 200, true, false, false).stored(t, 0)
	_, err := Run(context.Background(), snap, Request{Algorithm: "pagerank", DeviceMemory: 1000}, Events{})
	var over *BudgetError
	if !errors.As(err, &over) || !over.AtLeast || over.Need < 100*8 {
		t.Errorf("error %v", err)
	}
}

func TestEstimate_ReadsNoChunk(t *testing.T) {
	snap := random(seeded(t), 100, 2000, true, false, false).stored(t, 2048)
	needs, err := Estimate(context.Background(), snap, Request{Algorithm: "pagerank"})
	if err != nil {
		t.Fatal(err)
	}
	if needs.Minimum == 0 || needs.Minimum > needs.Resident || needs.Disk == 0 || needs.Host == 0 || needs.Budget == 0 || needs.Chunks < 2 {
		t.Errorf("%+v", needs)
	}
}
