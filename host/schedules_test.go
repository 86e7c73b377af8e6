package host

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/store"
)

// randomRequest draws a way to run what req asks for, in less memory than all chunks take.
func randomRequest(rng *rand.Rand, req Request, needs *Needs) Request {
	texts := []string{"whole", "subway", "subway:threshold=0", "subway:threshold=1", "neugraph", "neugraph", "scaph", "scaph:alpha=1,beta=1", "scaph:alpha=0,levels=1"}
	req.Schedule = texts[rng.IntN(len(texts))]
	req.Synchronous = rng.IntN(3) == 0
	req.DeviceMemory = needs.Minimum + rng.Uint64N(needs.Resident-needs.Minimum+1)
	return req
}

// Whatever the schedule, the budget and the size of chunks, the answer is the same to the
// bit, and the device never holds more than it may.
func TestRun_SameAnswerByEverySchedule(t *testing.T) {
	for _, name := range []string{"bfs", "sssp", "wcc", "widest-path", "reachability", "pagerank", "pagerank-delta"} {
		a, err := algorithms.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := seeded(t)
			for range 2 {
				g, params := sampleFor(rng, a)
				checkSchedules(t, rng, g.stored(t, 512+rng.IntN(4096)), g, a, params, 4)
			}
			// Chunks so large that they lie in files of their own kind, and are cut there.
			g := random(rng, 3000, 60_000, rng.IntN(2) == 0, false, false)
			params := map[string]string{}
			if len(a.Params) > 0 && a.Params[0].Name == "source" {
				params["source"] = g.users[rng.IntN(len(g.users))]
			}
			checkSchedules(t, rng, g.stored(t, 100<<10), g, a, params, 4)
		})
	}
}

func checkSchedules(t *testing.T, rng *rand.Rand, snap *store.Snapshot, g *sample, a *algorithms.Algorithm, params map[string]string, runs int) {
	t.Helper()
	req := Request{Algorithm: a.Name, Params: params, Threads: 1 + rng.IntN(3)}
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	want := mustRun(t, snap, req)
	for range runs {
		req := randomRequest(rng, req, needs)
		got, err := Run(context.Background(), snap, req, Events{})
		var schedule *ScheduleError
		if errors.As(err, &schedule) {
			continue // it says why
		}
		if err != nil {
			t.Fatalf("%+v: %v", req, err)
		}
		if a.Approximate {
			args, err := a.Bind(req.Params, g.env())
			if err = errors.Join(err, a.Verify(g.inMemory(), args, got.Columns)); err != nil {
				t.Errorf("%+v: %v", req, err)
			}
		} else if !same(got.Columns, want.Columns) {
			t.Errorf("%+v, %d vertices, directed %v: another result than with all chunks on the device (%s)", req, len(g.users), g.directed, got.Report.Kernel)
		}
		if got.Report.PeakDeviceBytes > req.DeviceMemory || !got.Report.Converged {
			t.Errorf("%+v: peak %d, converged %v", req, got.Report.PeakDeviceBytes, got.Report.Converged)
		}
	}
}

// Who asks for a schedule that a program cannot have learns why.
func TestRun_ScheduleSaysWhyNot(t *testing.T) {
	snap := random(seeded(t), 300, 4000, true, false, false).stored(t, 1024)
	for _, algorithm := range []string{"pagerank", "wcc"} {
		needs, err := Estimate(context.Background(), snap, Request{Algorithm: algorithm})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Run(context.Background(), snap, Request{Algorithm: algorithm, Schedule: "scaph", DeviceMemory: needs.Resident - 1}, Events{})
		var refusal *ScheduleError
		if !errors.As(err, &refusal) || refusal.Reason == "" {
			t.Errorf("%s: error %v", algorithm, err)
		}
	}
}
