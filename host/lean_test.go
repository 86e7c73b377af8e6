package host

import (
	"context"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// leastResident is what a run needs within the least budget by which all chunks stay on the device. Engines for that
// alone have no room then.
func leastResident(snap *store.Snapshot, req Request) (*Needs, error) {
	needs, err := Estimate(context.Background(), snap, req)
	for err == nil && needs.Resident > 0 {
		tight := req
		tight.DeviceMemory = needs.Resident - 1
		less, refusal := Estimate(context.Background(), snap, tight)
		if refusal != nil || less.PerIteration {
			break
		}
		needs = less
	}
	return needs, err
}

// Scratch of engines that need all chunks on the device is no reason to stream, nor to cut the state into intervals:
// with a byte less than they take all chunks stay without them, and are sent once. With a byte less than that the state
// is whole still.
func TestRun_EnginesGiveWayToChunks(t *testing.T) {
	g := random(testseed.Rand(t), 20_000, 60_000, true, false, false)
	snap := g.stored(t, 32<<10)
	req := Request{Algorithm: "sssp", Threads: 1, Synchronous: true, Params: map[string]string{"source": g.users[0]}}
	want := mustRun(t, snap, req)
	full, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	lean, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	if lean.State+20*20_000 > full.State {
		t.Fatalf("state of %d bytes without engines, of %d with them", lean.State, full.State)
	}
	for _, c := range []struct {
		budget   uint64
		schedule string
	}{{full.Resident - 1, "resident"}, {lean.Resident, "resident"}, {lean.Resident - 1, "auto"},
		{min(full.State, lean.Resident-1), "auto"}} {
		req.DeviceMemory = c.budget
		got := mustRun(t, snap, req)
		most := want.Report.Bytes.Transfer
		if c.schedule == "auto" {
			most *= uint64(got.Report.Iterations) + 1
		}
		if !same(got.Columns, want.Columns) || got.Report.Schedule != c.schedule || got.Report.Intervals != nil ||
			got.Report.Bytes.Transfer > most || got.Report.PeakDeviceBytes > c.budget ||
			!strings.Contains(got.Report.Why, "bytes of scratch for engines") {
			t.Errorf("%d bytes: %s; sent %d, at most %d expected; peak %d; %s", c.budget, got.Report.Schedule,
				got.Report.Bytes.Transfer, most, got.Report.PeakDeviceBytes, got.Report.Why)
		}
	}
}
