package host

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Below the least budget nothing starts, and the error names that budget: with it, the
// same run succeeds.
func TestRun_BudgetErrorNamesWhatWillDo(t *testing.T) {
	snap := random(testseed.Rand(t), 100, 2000, true, false, false).stored(t, 2048)
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

// Whatever is too small, the state alone or the state with a chunk, the error names the
// same number, and typing what it advises is enough.
func TestRun_OverBudgetNamesOneNumber(t *testing.T) {
	advised := regexp.MustCompile(`--device-memory ([0-9]+)B`)
	for algorithm, n := range map[string]int{"pagerank": 1, "wcc": 300, "lcc": 60} {
		snap := random(testseed.Rand(t), n, 5*n, true, false, false).stored(t, 0)
		needs, err := Estimate(context.Background(), snap, Request{Algorithm: algorithm})
		if err != nil {
			t.Fatal(err)
		}
		for _, memory := range []uint64{1, needs.Minimum - 500} {
			_, err := Run(context.Background(), snap, Request{Algorithm: algorithm, DeviceMemory: memory}, Events{})
			var over *BudgetError
			if !errors.As(err, &over) || over.Need != needs.Minimum || over.AtLeast {
				t.Errorf("%s, %d vertices, %d bytes: error %v; the least is %d", algorithm, n, memory, err, needs.Minimum)
				continue
			}
			if typed := advised.FindStringSubmatch(err.Error()); typed == nil || typed[1] != fmt.Sprint(needs.Minimum) {
				t.Errorf("%v; the least is %d", err, needs.Minimum)
			}
		}
		mustRun(t, snap, Request{Algorithm: algorithm, DeviceMemory: needs.Minimum})
	}
}

func TestEstimate_ReadsNoChunk(t *testing.T) {
	snap := random(testseed.Rand(t), 100, 2000, true, false, false).stored(t, 2048)
	needs, err := Estimate(context.Background(), snap, Request{Algorithm: "pagerank"})
	if err != nil {
		t.Fatal(err)
	}
	if needs.Minimum == 0 || needs.Minimum > needs.Resident || needs.Disk == 0 || needs.Host == 0 || needs.Budget == 0 ||
		needs.Chunks < 2 {
		t.Errorf("%+v", needs)
	}
}
