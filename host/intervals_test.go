package host

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store"
)

// largeSample is a sampleFor of so many vertices, and a few more: what a session takes at least hardly counts then.
func largeSample(rng *rand.Rand, a *algorithms.Algorithm, vertices int) (*sample, map[string]string) {
	g := random(rng, vertices+rng.IntN(vertices/8), 3*vertices, a.Acyclic || rng.IntN(2) == 0, false, a.Acyclic)
	params := map[string]string{}
	for _, p := range a.Params {
		if p.Type == algorithms.ParamVertex {
			params[p.Name] = g.users[rng.IntN(len(g.users))]
		}
	}
	roughly(a, params)
	return g, params
}

// Of every program the answer is that of a run with all state on the device, where that is twice what the device has;
// the device never holds more than it may.
func TestRun_StateInIntervals(t *testing.T) {
	eachProgram(t, func(t *testing.T, rng *rand.Rand, a *algorithms.Algorithm) {
		checkTooLarge(t, rng, a, 12_000, 2)
	})
}

// checkTooLarge runs an algorithm on a device that has so many times less than its state takes.
func checkTooLarge(t *testing.T, rng *rand.Rand, a *algorithms.Algorithm, vertices int, times uint64) {
	t.Helper()
	g, params := largeSample(rng, a, vertices)
	snap := g.stored(t, 32<<10)
	req := Request{Algorithm: a.Name, Params: params, Threads: 1}
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	want := mustRun(t, snap, req)
	req.DeviceMemory = needs.State / times
	checkIntervals(t, snap, g, a, req, want)
}

func checkIntervals(t *testing.T, snap *store.Snapshot, g *sample, a *algorithms.Algorithm, req Request, want *Result) {
	t.Helper()
	var needs Needs
	got, err := Run(context.Background(), snap, req, Events{Planned: func(n Needs) { needs = n }})
	if err != nil {
		t.Fatalf("%d bytes: %v", req.DeviceMemory, err)
	}
	r := got.Report
	if r.Intervals == nil || r.Intervals.Count < 3 || needs.Intervals != r.Intervals.Count ||
		!strings.Contains(r.Why, "intervals") {
		t.Fatalf("%d bytes: %+v by %q; estimated %d intervals", req.DeviceMemory, r.Intervals, r.Why, needs.Intervals)
	}
	if r.PeakDeviceBytes > needs.Device || needs.Device > req.DeviceMemory || r.PeakDeviceBytes == 0 {
		t.Errorf("peak %d, estimated %d, budget %d", r.PeakDeviceBytes, needs.Device, req.DeviceMemory)
	}
	if a.Approximate || strings.Contains(r.Kernel, " sum") { // added up in another order
		args, err := a.Bind(req.Params, g.env())
		if err = errors.Join(err, a.Verify(g.inMemory(), args, got.Columns)); err != nil {
			t.Errorf("%d bytes: %v", req.DeviceMemory, err)
		}
	} else if !same(got.Columns, want.Columns) {
		t.Errorf("%d bytes, directed %v: another result than with all state on the device (%s)", req.DeviceMemory,
			g.directed, r.Kernel)
	}
	if r.Bytes.Transfer != r.Intervals.EdgeBytes || r.Intervals.StateBytes == 0 {
		t.Errorf("%d bytes of edges are sent: %+v", r.Bytes.Transfer, r.Intervals)
	}
}

// A stored chunk is cut once, however many iterations there are, and a cell is sent only if one of its sources is
// active: of a path that is three at most, as an interval borders on two others.
func TestRun_IntervalsCutOnceAndSkip(t *testing.T) {
	g := path()
	snap := g.stored(t, 2048)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": vertexOf(t, snap)}, Threads: 1, Synchronous: true}
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	want := mustRun(t, snap, req)
	req.DeviceMemory = needs.State - 1
	got := mustRun(t, snap, req)
	v := got.Report.Intervals
	if v == nil || !same(got.Columns, want.Columns) {
		t.Fatalf("%+v; the same result: %t", got.Report, same(got.Columns, want.Columns))
	}
	if chunks := len(snap.Chunks(chunk.Out)) + len(snap.Chunks(chunk.In)); v.Cuts > chunks {
		t.Errorf("%d cuts of %d chunks", v.Cuts, chunks)
	}
	if v.Sent > 3*got.Report.Iterations || v.Skipped == 0 {
		t.Errorf("%d cells are sent in %d iterations, %d skipped", v.Sent, got.Report.Iterations, v.Skipped)
	}
	if v.EdgeBytes > v.CellBytes*uint64(got.Report.Iterations)/2 {
		t.Errorf("%d bytes are sent in %d iterations, of cells with %d", v.EdgeBytes, got.Report.Iterations, v.CellBytes)
	}
}

// Schedules that keep all state on the device say which does not.
func TestRun_RefusalNamesNeugraph(t *testing.T) {
	snap := random(seeded(t), 12_000, 40_000, true, false, false).stored(t, 32<<10)
	needs, err := Estimate(context.Background(), snap, Request{Algorithm: "wcc"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Schedules {
		_, err := Run(context.Background(), snap, Request{Algorithm: "wcc", DeviceMemory: needs.State / 2, Schedule: name},
			Events{})
		var over *BudgetError
		if may := name == "auto" || name == "neugraph"; may != (err == nil) ||
			!may && (!errors.As(err, &over) || !strings.Contains(err.Error(), "--schedule neugraph")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
