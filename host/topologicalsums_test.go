package host

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// braid is a path through n vertices, in any order, which some edges leave and meet again, as long as there are few
// ways along it; so many edges lead away from it, to vertices that lead nowhere: of none there are more paths than a
// double counts one by one. It tells the vertices along the path.
func braid(rng *rand.Rand, n, beside int) (g *sample, along []int) {
	ends := 1 + beside/16
	g, along = random(rng, n+ends, 0, true, false, true), rng.Perm(n+ends)
	paths := make([]int64, n)
	paths[0] = 1
	for v := 1; v < n; v++ {
		for _, u := range []int{v - 1, rng.IntN(v)} {
			if paths[u]+paths[v] < 1<<40 {
				paths[v] += paths[u]
				back(g, along[u], along[v], 1)
			}
		}
	}
	for range beside {
		back(g, along[rng.IntN(n)], along[n+rng.IntN(ends)], 1)
	}
	return g, along
}

// Along a deep graph without cycles that does not fit, numbers of paths are added up in topological order: each list is
// sent once and each edge is looked at once. A cycle that is not reached is not in the way.
func TestRun_SumsInTopologicalOrder(t *testing.T) {
	t.Parallel()
	const n = 3000
	rng := testseed.Rand(t)
	g, along := braid(rng, n, 12*n)
	back(g, along[5], along[2], 1)
	snap := g.stored(t, 16<<10+rng.IntN(32<<10))
	req := Request{Algorithm: "num-paths", Params: map[string]string{"source": g.users[along[6]]}}
	want := mustRun(t, snap, req)
	for shipments, share := range map[int]float64{4: 0.5, 8: 0.25} {
		within, edges := besideSorted(t, snap, req, share)
		got := mustRun(t, snap, within)
		r := got.Report
		if !inTopologicalOrder(got) || r.PeakDeviceBytes > within.DeviceMemory || r.Iterations > 2*shipments {
			t.Errorf("%g of the edges: %d iterations by %s, %d of %d bytes, because %s", share, r.Iterations, r.Kernel,
				r.PeakDeviceBytes, within.DeviceMemory, r.Why)
		}
		if r.EdgesProcessed > uint64(len(g.edges)) || r.Bytes.Transfer > edges*11/10 {
			t.Errorf("%g of the edges: %d edges looked at of %d, %d bytes sent of %d", share, r.EdgesProcessed,
				len(g.edges), r.Bytes.Transfer, edges)
		}
		if !same(got.Columns, want.Columns) {
			t.Errorf("%g of the edges: another result", share)
		}
	}
}

// What is streamed agrees with what is computed in memory: numbers of paths to the bit, and that there are infinitely
// many, with a cycle that is found at once. A bound on the walks has a run go iteration by iteration.
func TestRun_SumsInTopologicalOrderOnAnyGraph(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	rng := testseed.Rand(t)
	for turn := range 6 {
		n := 200 + rng.IntN(200)
		g, along := braid(rng, n, 40_000)
		from := rng.IntN(20)
		if turn%2 > 0 { // a cycle that may be reached
			i := 1 + rng.IntN(n-1)
			back(g, along[i], along[rng.IntN(i)], 1)
		}
		snap := g.stored(t, 4<<10+rng.IntN(16<<10))
		req := Request{Algorithm: "num-paths", Params: map[string]string{"source": g.users[along[from]]},
			Threads: 1 + rng.IntN(3)}
		if turn%3 == 2 {
			req.Params["iterations"] = "7"
		}
		want, wantErr := Run(context.Background(), snap, req, Events{})
		within, _ := besideSorted(t, snap, req, 0.6+rng.Float64()/4)
		got, err := Run(context.Background(), snap, within, Events{})
		var diverged, wantDiverged *algorithms.DivergedError
		switch {
		case errors.As(err, &diverged) && errors.As(wantErr, &wantDiverged):
			if diverged.Meaning != wantDiverged.Meaning || len(diverged.Cycle) == 0 {
				t.Errorf("turn %d: %v, and with all edges on the device %v", turn, err, wantErr)
			}
		case err != nil || wantErr != nil:
			t.Errorf("turn %d: %v, and with all edges on the device %v", turn, err, wantErr)
		case !same(got.Columns, want.Columns):
			t.Errorf("turn %d: another result by %s", turn, got.Report.Kernel)
		case inTopologicalOrder(got) == (turn%3 == 2):
			t.Errorf("turn %d: by %s, because %s", turn, got.Report.Kernel, got.Report.Why)
		}
	}
}

// More paths than a double can count are the error that they are elsewhere, after one pass.
func TestRun_SumsInTopologicalOrderOverflow(t *testing.T) {
	rng := testseed.Rand(t)
	g, along := ladder(rng, 3000, 12_000, func() float64 { return 1 })
	snap := g.stored(t, 8<<10)
	req := Request{Algorithm: "num-paths", Params: map[string]string{"source": g.users[along[0]]}}
	within, _ := besideSorted(t, snap, req, 0.6)
	var diverged, wantDiverged *algorithms.DivergedError
	_, wantErr := Run(context.Background(), snap, req, Events{})
	_, err := Run(context.Background(), snap, within, Events{})
	if !errors.As(wantErr, &wantDiverged) || !errors.As(err, &diverged) || diverged.Meaning != wantDiverged.Meaning ||
		diverged.Iterations > 16 {
		t.Errorf("%v, and with all edges on the device %v", err, wantErr)
	}
}

// A run whose device dies goes on from what had come to each vertex by its checkpoint.
func TestRun_SumsInTopologicalOrderResume(t *testing.T) {
	rng := testseed.Rand(t)
	g, along := braid(rng, 3000, 36_000)
	snap := g.stored(t, 16<<10)
	req, _ := besideSorted(t, snap, Request{Algorithm: "num-paths", Params: map[string]string{"source": g.users[along[0]]}}, 0.25)
	resumesInOrder(t, snap, req, 1)
}
