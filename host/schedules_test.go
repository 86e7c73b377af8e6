package host

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// randomRequest draws a way to run what req asks for, in less memory than all chunks take.
func randomRequest(rng *rand.Rand, req Request, needs *Needs) Request {
	texts := append([]string{"subway:threshold=0", "subway:threshold=1", "neugraph", "scaph:alpha=1,beta=1",
		"scaph:alpha=0,levels=1"}, Schedules...)
	req.Schedule = texts[rng.IntN(len(texts))]
	req.Synchronous = rng.IntN(3) == 0
	req.LinkBandwidth = uint64(rng.IntN(2)) << 30
	req.DeviceMemory = needs.Minimum + rng.Uint64N(needs.Resident-needs.Minimum+1)
	return req
}

// runWithin runs req. By scaph, which settles always, the state may take more than an estimate for auto says: then req
// is given the budget that its refusal names.
func runWithin(snap *store.Snapshot, req *Request, events Events) (*Result, error) {
	got, err := Run(context.Background(), snap, *req, events)
	var over *BudgetError
	if errors.As(err, &over) && strings.HasPrefix(req.Schedule, "scaph") && over.Need > req.DeviceMemory {
		req.DeviceMemory = over.Need
		return Run(context.Background(), snap, *req, events)
	}
	return got, err
}

// Whatever the schedule, the budget and the size of chunks, the answer is the same to the
// bit, and the device never holds more than it may.
func TestRun_SameAnswerByEverySchedule(t *testing.T) {
	names := []string{"bfs", "sssp", "wcc", "widest-path", "reachability", "pagerank", "pagerank-delta"}
	for _, name := range long.Draw(t, names, 4) {
		a, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := testseed.Rand(t)
			for range 2 {
				g, params := sampleFor(rng, a)
				roughly(a, params)
				checkSchedules(t, rng, g.stored(t, 1<<10+rng.IntN(4096)), g, a, params, 4)
			}
			// Chunks so large that they lie in files of their own kind, and are cut there.
			g := random(rng, 3000, 60_000, rng.IntN(2) == 0, false, false)
			params := map[string]string{}
			roughly(a, params)
			if len(a.Params) > 0 && a.Params[0].Name == "source" {
				params["source"] = g.users[rng.IntN(len(g.users))]
			}
			checkSchedules(t, rng, g.stored(t, 100<<10), g, a, params, 3)
		})
	}
}

// roughly has approximate results be less so: iterations take long under the race detector.
func roughly(a *algorithms.Algorithm, params map[string]string) {
	if a.Approximate && slices.ContainsFunc(a.Params, func(p algorithms.Param) bool { return p.Name == "tolerance" }) {
		params["tolerance"] = "0.01"
	}
}

func checkSchedules(t *testing.T, rng *rand.Rand, snap *store.Snapshot, g *sample, a *algorithms.Algorithm,
	params map[string]string, runs int) {
	t.Helper()
	req := Request{Algorithm: a.Name, Params: params, Threads: 1 + rng.IntN(3)}
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	want := mustRun(t, snap, req)
	for range runs {
		req := randomRequest(rng, req, needs)
		var needs Needs
		got, err := runWithin(snap, &req, Events{Planned: func(n Needs) { needs = n }})
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
			t.Errorf("%+v, %d vertices, directed %v: another result than with all chunks on the device (%s)", req, len(g.users),
				g.directed, got.Report.Kernel)
		}
		if got.Report.PeakDeviceBytes > req.DeviceMemory || !got.Report.Converged {
			t.Errorf("%+v: peak %d, converged %v", req, got.Report.PeakDeviceBytes, got.Report.Converged)
		}
		checkBounds(t, req, got.Report, needs)
	}
}

// checkBounds sees that each iteration keeps to the estimate and says why it got what it got.
func checkBounds(t *testing.T, req Request, report Report, needs Needs) {
	t.Helper()
	for _, it := range report.PerIteration {
		if !needs.PerIteration {
			return
		}
		if it.Bytes.Transfer > needs.Transfer || it.Bytes.Storage > needs.Disk || it.Rule == "" || it.Wanted > 0 &&
			it.Predicted <= 0 {
			t.Errorf("%+v: %+v; estimated %+v", req, it, needs)
		}
	}
}

// Of a level at which most vertices are reached, breadth-first search has use for a few entries
// of their lists.
func TestRun_SendsPartsOfLists(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 3000, 60_000, false, false, false)
	snap := g.stored(t, 100<<10)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": g.users[rng.IntN(len(g.users))]}}
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.Minimum + (needs.Resident-needs.Minimum)/4
	req.Schedule = "whole"
	whole := mustRun(t, snap, req)
	req.Schedule, req.Synchronous = "subway", true
	parts := mustRun(t, snap, req)
	if !same(parts.Columns, whole.Columns) || parts.Report.Bytes.Transfer > whole.Report.Bytes.Transfer/3 {
		t.Errorf("%d bytes, of %d by whole chunks", parts.Report.Bytes.Transfer, whole.Report.Bytes.Transfer)
	}
}

// What would be taken by each schedule is what a run by it says it takes.
func TestEstimate_SaysWhatEverySchedule(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	snap := random(testseed.Rand(t), 300, 4000, true, false, false).stored(t, 2048)
	for _, algorithm := range []string{"sssp", "pagerank", "lcc"} {
		req := Request{Algorithm: algorithm, Threads: 2}
		if algorithm == "sssp" {
			req.Params = map[string]string{"source": vertexOf(t, snap)}
		}
		needs, err := leastResident(snap, req)
		if err != nil {
			t.Fatal(err)
		}
		if algorithm != "lcc" {
			req.DeviceMemory = needs.Resident - 1
		}
		if needs, err = Estimate(context.Background(), snap, req); err != nil || len(needs.Schedules) != len(Schedules) {
			t.Fatal(needs, err)
		}
		for _, want := range needs.Schedules {
			req.Schedule = want.Name
			var got *Needs
			ctx, cancel := context.WithCancel(context.Background())
			_, err := Run(ctx, snap, req, Events{Planned: func(n Needs) { got = &n; cancel() }}) // nothing else is looked at
			cancel()
			if refuses(err) != (want.Refused != "") || !refuses(err) && !errors.Is(err, context.Canceled) ||
				!reflect.DeepEqual(got, want.Needs) {
				t.Errorf("%s by %s: %+v, error %v; estimated %+v", algorithm, want.Name, got, err, want)
			}
		}
	}
}

// Weights below 0 are found when they come. What settles then begins again, in topological order or iteration by
// iteration, unless the schedule is no other way.
func TestRun_CannotSettleAfterAll(t *testing.T) {
	g := random(testseed.Rand(t), 300, 4000, true, false, true)
	g.edges = append(g.edges, algorithms.Edge{Src: 0, Dst: 299, Weights: map[string]float64{"weight": -1, "toll": 0}})
	snap := g.stored(t, 1024)
	req := Request{Algorithm: "sssp", Params: map[string]string{"source": g.users[0]}}
	want := mustRun(t, snap, req)
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.Resident - 1
	for _, schedule := range []string{"auto", "subway"} {
		req.Schedule = schedule
		started := 0
		got, err := Run(context.Background(), snap, req, Events{Launched: func(Launch) { started++ }})
		if err != nil || started != 2 || !same(got.Columns, want.Columns) || !strings.Contains(got.Report.Why, "weight -1") {
			t.Errorf("%s: %v, started %d times: %+v", schedule, err, started, got)
		}
	}
	req.Schedule = "scaph"
	_, err = Run(context.Background(), snap, req, Events{})
	var refusal *ScheduleError
	if !errors.As(err, &refusal) || !strings.Contains(refusal.Reason, "weight -1") {
		t.Errorf("scaph: error %v", err)
	}
}

// Who asks for a schedule that a program cannot have learns why.
func TestRun_ScheduleSaysWhyNot(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 4000, true, false, false).stored(t, 1024)
	for algorithm, want := range map[string]string{
		"pagerank": "it needs every message of an iteration before the next",
		"max-cost": "it would not be noticed that the source reaches a cycle of positive cost",
	} {
		req := Request{Algorithm: algorithm}
		if algorithm != "pagerank" {
			req.Params = map[string]string{"source": vertexOf(t, snap)}
		}
		needs, err := leastResident(snap, req)
		if err != nil {
			t.Fatal(err)
		}
		req.Schedule, req.DeviceMemory = "scaph", needs.Resident-1
		_, err = Run(context.Background(), snap, req, Events{})
		var refusal *ScheduleError
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Reason, want) {
			t.Errorf("%s: error %v", algorithm, err)
		}
	}
}
