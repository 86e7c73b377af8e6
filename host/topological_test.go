package host

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// ladder is a path through n vertices, in any order, with short cuts past one of them, and so many longer ones; and the
// vertices along it.
func ladder(rng *rand.Rand, n, beside int, weight func() float64) (g *sample, along []int) {
	g, along = random(rng, n, 0, true, false, true), rng.Perm(n)
	edge := func(u, v int) {
		g.edges = append(g.edges, algorithms.Edge{Src: uint32(along[u]), Dst: uint32(along[v]),
			Weights: map[string]float64{"weight": weight(), "toll": float64(rng.IntN(9))}})
	}
	for v := 1; v < n; v++ {
		edge(v-1, v)
		edge(max(0, v-2), v)
	}
	for range beside {
		u, v := rng.IntN(n), rng.IntN(n)
		if u != v {
			edge(min(u, v), max(u, v))
		}
	}
	return g, along
}

// back is an edge of a ladder from one of the vertices along it to one before.
func back(g *sample, from, to int, weight float64) {
	g.edges = append(g.edges, algorithms.Edge{Src: uint32(from), Dst: uint32(to),
		Weights: map[string]float64{"weight": weight}})
}

// besideSorted is a request with room for a share of the edges beside the state of a run in topological order, and what
// all of the edges take.
func besideSorted(t *testing.T, snap *store.Snapshot, req Request, share float64) (within Request, edges uint64) {
	t.Helper()
	within, edges = withRoom(t, snap, req, 0.7)
	needs, err := Estimate(context.Background(), snap, within)
	if err != nil {
		t.Fatal(err)
	}
	within.DeviceMemory = needs.State + uint64(share*float64(edges))
	return within, edges
}

func inTopologicalOrder(r *Result) bool {
	return strings.HasPrefix(r.Report.Kernel, "topological order")
}

// Along a deep graph without cycles that does not fit, each list is sent once and each edge is looked at once, in about
// as few iterations as slots hold all edges, though values get better along ever longer ways; in step there is an
// iteration for each vertex on the way. A cycle that is not reached is not in the way.
func TestRun_TopologicalOrder(t *testing.T) {
	t.Parallel()
	const n = 5000
	rng := testseed.Rand(t)
	g, along := ladder(rng, n, n, func() float64 { return float64(1+rng.IntN(64)) / 64 })
	back(g, along[5], along[2], 1)
	snap := g.stored(t, 16<<10+rng.IntN(32<<10))
	params := map[string]string{"source": g.users[along[6]]}
	requests := map[string]Request{
		"max-cost":        {Algorithm: "max-cost", Params: params},
		"min-reliability": {Algorithm: "min-reliability", Params: params},
		"a program of one's own": {Params: params, Custom: &algorithms.Custom{
			Process: "src.cost + edge.weight * (dst.in_degree > 2 ? 2.0 : 1.0)", Reduce: "max", Init: "id == source ? 0.0 : -inf"}},
	}
	for _, name := range long.Raced(t, slices.Sorted(maps.Keys(requests)), 1) {
		mustSendOnce(t, name, g, snap, requests[name], requests[name])
	}
}

// mustSendOnce runs req with room for a half of the edges, and for a quarter, beside the state of a like run that is in
// topological order from the start.
func mustSendOnce(t *testing.T, name string, g *sample, snap *store.Snapshot, req, like Request) {
	t.Helper()
	want := mustRun(t, snap, req)
	for shipments, share := range map[int]float64{4: 0.5, 8: 0.25} {
		within, edges := besideSorted(t, snap, like, share)
		req.DeviceMemory = within.DeviceMemory
		got := mustRun(t, snap, req)
		r, lists := got.Report, edges+8*uint64(len(g.users))
		if !inTopologicalOrder(got) || r.PeakDeviceBytes > req.DeviceMemory || r.Iterations > 2*shipments {
			t.Errorf("%s, %g of the edges: %d iterations by %s, %d of %d bytes, because %s", name, share, r.Iterations, r.Kernel,
				r.PeakDeviceBytes, req.DeviceMemory, r.Why)
		}
		if r.EdgesProcessed > uint64(len(g.edges)) || r.Bytes.Transfer > lists*11/10 {
			t.Errorf("%s, %g of the edges: %d edges looked at of %d, %d bytes sent of %d", name, share, r.EdgesProcessed,
				len(g.edges), r.Bytes.Transfer, lists)
		}
		if !same(got.Columns, want.Columns) {
			t.Errorf("%s, %g of the edges: another result", name, share)
		}
	}
}

// What is streamed agrees with what is computed in memory, and with the oracle, with cycles and without, that gain and
// that do not: values to the bit, and errors.
func TestRun_TopologicalOrderOnAnyGraph(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	rng := testseed.Rand(t)
	maxCost, err := catalog.Lookup("max-cost")
	if err != nil {
		t.Fatal(err)
	}
	ordered := map[bool]int{}
	for _, cyclic := range []bool{false, true, false, true} {
		n := 400 + rng.IntN(400)
		lowest := []int{0, -64, -8}[rng.IntN(3)]
		g, along := ladder(rng, n, 6000+rng.IntN(6000), func() float64 { return float64(lowest+rng.IntN(65)) / 64 })
		for range rng.IntN(3) + 1 {
			if i := 1 + rng.IntN(n-1); cyclic {
				back(g, along[i], along[rng.IntN(i)], []float64{-1e6, -1, 0, 1}[rng.IntN(4)])
			}
		}
		snap := g.stored(t, 4<<10+rng.IntN(16<<10))
		req := Request{Algorithm: "max-cost", Params: map[string]string{"source": g.users[along[rng.IntN(20)]]},
			Threads: 1 + rng.IntN(3)}
		want, wantErr := Run(context.Background(), snap, req, Events{})
		within, _ := besideSorted(t, snap, req, 0.6+rng.Float64()/4)
		got, err := Run(context.Background(), snap, within, Events{})
		var diverged, wantDiverged *algorithms.DivergedError
		if errors.As(err, &diverged) != errors.As(wantErr, &wantDiverged) ||
			diverged != nil && diverged.Meaning != wantDiverged.Meaning {
			t.Errorf("cyclic %t: %v, and with all edges on the device %v", cyclic, err, wantErr)
		}
		args, bindErr := maxCost.Bind(req.Params, g.env())
		if bindErr != nil {
			t.Fatal(bindErr)
		}
		oracle, oracleErr := maxCost.Oracle(g.inMemory(), args)
		if errors.As(oracleErr, &wantDiverged) != errors.As(err, &diverged) {
			t.Errorf("cyclic %t: %v, and the oracle says %v", cyclic, err, oracleErr)
		}
		if err != nil || wantErr != nil {
			continue
		}
		if !same(got.Columns, want.Columns) || !same(got.Columns, oracle) {
			t.Errorf("cyclic %t: another result by %s", cyclic, got.Report.Kernel)
		}
		if ordered[inTopologicalOrder(got)]++; !cyclic && !inTopologicalOrder(got) {
			t.Errorf("no cycle, but by %s, because %s", got.Report.Kernel, got.Report.Why)
		}
	}
	if ordered[true] == 0 {
		t.Error("no run was in topological order")
	}
}

// A cycle that is reached and gains nothing has a run go iteration by iteration, to the same values; one that gains is
// the same error as in memory.
func TestRun_CyclesHaveNoTopologicalOrder(t *testing.T) {
	t.Parallel()
	const n = 400
	rng := testseed.Rand(t)
	g, along := ladder(rng, n, 8000, func() float64 { return float64(1+rng.IntN(64)) / 64 })
	g.edges = append(g.edges, algorithms.Edge{})
	for weight, wantGain := range map[float64]bool{-1000: false, 1: true} {
		g.edges = g.edges[:len(g.edges)-1]
		back(g, along[n-1], along[n/2], weight)
		snap := g.stored(t, 8<<10)
		req := Request{Algorithm: "max-cost", Params: map[string]string{"source": g.users[along[0]]}}
		want, wantErr := Run(context.Background(), snap, req, Events{})
		within, _ := besideSorted(t, snap, req, 0.6)
		got, err := Run(context.Background(), snap, within, Events{})
		var diverged *algorithms.DivergedError
		switch {
		case wantGain:
			if !errors.As(wantErr, &diverged) || !errors.As(err, &diverged) ||
				!strings.Contains(diverged.Meaning, "the source reaches a cycle of positive cost") {
				t.Errorf("a cycle that gains: %v, and in memory %v", err, wantErr)
			}
		case err != nil || wantErr != nil:
			t.Errorf("a cycle that gains nothing: %v, %v", err, wantErr)
		case inTopologicalOrder(got) || !same(got.Columns, want.Columns) ||
			!strings.Contains(got.Report.Why, "what sends first reaches a cycle"):
			t.Errorf("by %s, because %s; or another result", got.Report.Kernel, got.Report.Why)
		}
	}
}

// Along a chain without a cycle values may be more than a double can hold, which is the error that it is elsewhere.
func TestRun_TopologicalOrderOverflows(t *testing.T) {
	rng := testseed.Rand(t)
	g, along := ladder(rng, 500, 6000, func() float64 { return 1e307 })
	snap := g.stored(t, 8<<10)
	req := Request{Algorithm: "max-cost", Params: map[string]string{"source": g.users[along[0]]}}
	within, _ := besideSorted(t, snap, req, 0.6)
	for _, req := range []Request{req, within} {
		var diverged *algorithms.DivergedError
		if _, err := Run(context.Background(), snap, req, Events{}); !errors.As(err, &diverged) || diverged.Meaning == "" {
			t.Errorf("with %d bytes: %v", req.DeviceMemory, err)
		}
	}
}

// A run whose device dies goes on from its checkpoint: from what is active then there is an order as well.
func TestRun_TopologicalOrderResumes(t *testing.T) {
	rng := testseed.Rand(t)
	g, along := ladder(rng, 5000, 5000, func() float64 { return float64(rng.IntN(65)) / 64 })
	snap := g.stored(t, 16<<10)
	req, _ := besideSorted(t, snap, Request{Algorithm: "max-cost", Params: map[string]string{"source": g.users[along[0]]}}, 0.25)
	resumesInOrder(t, snap, req, 1)
}

// resumesInOrder has a run, which the device of so many launches computes, lose that device after some iterations.
func resumesInOrder(t *testing.T, snap *store.Snapshot, req Request, launches int) {
	t.Helper()
	req = resumable(t, req)
	want := mustRun(t, snap, req)
	if !inTopologicalOrder(want) || want.Report.Iterations < 6 {
		t.Fatalf("%d iterations by %s", want.Report.Iterations, want.Report.Kernel)
	}
	k := killer{kills: launches, after: 3}
	got, err := Run(context.Background(), snap, req, k.events())
	if err != nil || got.Report.ResumedFrom == 0 || !inTopologicalOrder(got) || !same(got.Columns, want.Columns) {
		t.Fatalf("error %v, %d launches", err, k.launches)
	}
}

// A device that settles nothing is told so: that is no cycle.
func TestRun_TopologicalOrderGetsOn(t *testing.T) {
	processtest.Traceless(t)
	rng := testseed.Rand(t)
	g, along := ladder(rng, 3000, 3000, func() float64 { return float64(rng.IntN(65)) / 64 })
	snap := g.stored(t, 16<<10)
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	req, _ := besideSorted(t, snap, Request{Algorithm: "max-cost", Params: map[string]string{"source": g.users[along[0]]},
		Device: self}, 0.5)
	if got := mustRun(t, snap, req); !inTopologicalOrder(got) {
		t.Fatalf("by %s, because %s", got.Report.Kernel, got.Report.Why)
	}
	t.Setenv(faultsVariable, "stall at settle 2")
	_, err = Run(context.Background(), snap, req, Events{})
	if plugins.KindOf(err) != plugins.KindInternal || !strings.Contains(err.Error(), "nothing settles: ") {
		t.Error(err)
	}
}
