package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// However many chunks stay on the device, and whichever engine sends them, the answer is the
// same, and the budget is kept to.
func TestRun_EnginesWithinAnyBudget(t *testing.T) {
	for _, name := range []string{"bfs", "sssp", "wcc", "widest-path"} {
		a, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := testseed.Rand(t)
			g := random(rng, 2000, 30_000, name == "sssp", false, false)
			snap := g.stored(t, 12<<10)
			req := Request{Algorithm: name, Params: map[string]string{}, Threads: 1 + rng.IntN(3)}
			if len(a.Params) > 0 && a.Params[0].Name == "source" {
				req.Params["source"] = g.users[rng.IntN(len(g.users))]
			}
			needs, err := leastResident(snap, req)
			if err != nil {
				t.Fatal(err)
			}
			want := mustRun(t, snap, req)
			for share := range uint64(3) {
				req.DeviceMemory = needs.Resident - 1 - share*(needs.Resident-needs.Minimum)/4
				req.Schedule = fmt.Sprintf("scaph:alpha=%g,beta=%g,levels=%d", rng.Float64(), rng.Float64(), rng.IntN(5))
				got := mustRun(t, snap, req)
				if !same(got.Columns, want.Columns) {
					t.Errorf("%s, %d bytes: another result than with all chunks on the device", req.Schedule, req.DeviceMemory)
				}
				if got.Report.PeakDeviceBytes > req.DeviceMemory || got.Report.Schedule != req.Schedule {
					t.Errorf("%s, %d bytes: peak %d, schedule %s", req.Schedule, req.DeviceMemory, got.Report.PeakDeviceBytes,
						got.Report.Schedule)
				}
			}
		})
	}
}

// A chunk that stays is not sent again: with room for all but one of them, and every chunk of high value, iterations
// after the first send less than that did. Of two chunks or more one has stayed; a single one may be the one that left.
func TestRun_ChunksOfHighValueStay(t *testing.T) {
	snap := random(testseed.Rand(t), 3000, 50_000, false, false, false).stored(t, 12<<10)
	needs, err := Estimate(context.Background(), snap, Request{Algorithm: "wcc"})
	if err != nil {
		t.Fatal(err)
	}
	req := Request{Algorithm: "wcc", Schedule: "scaph:alpha=0,beta=0", DeviceMemory: needs.Resident - 1}
	iterations := mustRun(t, snap, req).Report.PerIteration
	first := iterations[0].Bytes.Transfer
	for _, it := range iterations[1:] {
		if it.Bytes.Transfer >= first {
			t.Errorf("iteration %d sends %d bytes, the first sent %d", it.Number, it.Bytes.Transfer, first)
		}
		if q := it.Queue; q == nil || q.Hits == 0 && it.Chunks > 1 || q.Hits+it.Whole+it.Parts != it.Chunks ||
			q.Rounds == 0 ||
			q.Turns < q.Rounds {
			t.Errorf("iteration %d, of %d chunks, %d whole and %d in part: %+v", it.Number, it.Chunks, it.Whole, it.Parts,
				it.Queue)
		}
	}
}

// What waits on a link that hardly carries anything ends when nobody wants it any more.
func TestRun_EnginesEndWithTheContext(t *testing.T) {
	snap := random(testseed.Rand(t), 3000, 50_000, false, false, false).stored(t, 12<<10)
	needs, err := Estimate(context.Background(), snap, Request{Algorithm: "wcc"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	req := Request{Algorithm: "wcc", Schedule: "scaph", DeviceMemory: needs.Resident * 2 / 3, LinkBandwidth: 1}
	_, err = Run(ctx, snap, req, Events{Iterated: func(IterationReport) { time.AfterFunc(10*time.Millisecond, cancel) }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A device that dies or takes too much while both engines are at work ends the run with that.
func TestRun_EnginesEndWithTheDevice(t *testing.T) {
	snap := random(testseed.Rand(t), 2000, 30_000, false, false, false).stored(t, 12<<10)
	needs, err := Estimate(context.Background(), snap, Request{Algorithm: "wcc"})
	if err != nil {
		t.Fatal(err)
	}
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for script, kind := range map[string]plugins.Kind{"die at settle 2": plugins.KindDied,
		"die at evict 1": plugins.KindDied, "exceed at upload 5": plugins.KindBudget} {
		t.Setenv(faultsVariable, script)
		req := Request{Algorithm: "wcc", Schedule: "scaph", Device: self, DeviceMemory: needs.Minimum +
			(needs.Resident-needs.Minimum)/2}
		if _, err := Run(context.Background(), snap, req, Events{}); plugins.KindOf(err) != kind {
			t.Errorf("%s: error %v", script, err)
		}
	}
}
