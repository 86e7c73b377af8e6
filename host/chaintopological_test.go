package host

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// deepGraphs are deep graphs without cycles, in chunks, each with what goes along it in topological order.
func deepGraphs(t *testing.T, rng *rand.Rand) map[string]func() (*sample, *store.Snapshot, Request) {
	ladderOf := func(req func(g *sample, first int) Request) func() (*sample, *store.Snapshot, Request) {
		return func() (*sample, *store.Snapshot, Request) {
			g, along := ladder(rng, 1500, 15_000, func() float64 { return float64(1+rng.IntN(64)) / 64 })
			return g, g.stored(t, 16<<10+rng.IntN(32<<10)), req(g, along[rng.IntN(9)])
		}
	}
	from := func(name string) func(g *sample, first int) Request {
		return func(g *sample, first int) Request {
			return Request{Algorithm: name, Params: map[string]string{"source": g.users[first]}}
		}
	}
	return map[string]func() (*sample, *store.Snapshot, Request){
		"max-cost":        ladderOf(from("max-cost")),
		"min-reliability": ladderOf(from("min-reliability")),
		"from everywhere": ladderOf(func(*sample, int) Request {
			return Request{Custom: &algorithms.Custom{Process: "src.cost + edge.weight", Reduce: "max", Init: "0.0"}}
		}),
		"num-paths": func() (*sample, *store.Snapshot, Request) {
			g, along := braid(rng, 1500, 45_000)
			return g, g.stored(t, 16<<10+rng.IntN(32<<10)), from("num-paths")(g, along[rng.IntN(9)])
		},
	}
}

// Several devices go in topological order as one does: they are given what one is, but for headers, look at each edge
// once, and tell each other the value of each vertex once. Vertices lie anywhere, so that ways cross from share to
// share all the time.
func TestChain_TopologicalOrder(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	graphs := deepGraphs(t, rng)
	for _, name := range long.Draw(t, slices.Sorted(maps.Keys(graphs)), 2) {
		g, snap, req := graphs[name]()
		req.Threads = 1 + rng.IntN(2)
		want := mustRun(t, snap, req)
		for _, share := range long.Raced(t, []float64{0.5, 0.25}, 1) {
			within, _ := besideSorted(t, snap, req, share)
			one := mustRun(t, snap, within)
			for device, most := range map[string]float64{"cpu,cpu": 1.15, "cpu,cpu,cpu": 1.25} {
				within.Device = device
				got := mustRun(t, snap, within)
				a, b := one.Report, got.Report
				given, state := b.Bytes.Transfer+b.Bytes.Forwarded, 12*uint64(len(g.users)*(len(b.Devices)-1))
				t.Logf("%s, %g of the edges: one %d bytes in %d iterations; %s %d in %d, state %d", name, share, a.Bytes.Transfer,
					a.Iterations, device, given, b.Iterations, b.Bytes.Exchanged)
				if !inTopologicalOrder(got) || float64(given) > most*float64(a.Bytes.Transfer) || b.Bytes.Exchanged > state {
					t.Errorf("%s, %g of the edges, %s: by %s, because %s; %d bytes given, one is given %d; state %d of %d", name, share,
						device, b.Kernel, b.Why, given, a.Bytes.Transfer, b.Bytes.Exchanged, state)
				}
				if b.EdgesProcessed > uint64(len(g.edges)) || b.EdgesProcessed != a.EdgesProcessed {
					t.Errorf("%s, %g of the edges, %s: %d edges looked at of %d; by one %d", name, share, device, b.EdgesProcessed,
						len(g.edges), a.EdgesProcessed)
				}
				for _, d := range b.Devices {
					if d.PeakDeviceBytes > within.DeviceMemory || d.EdgesProcessed == 0 {
						t.Errorf("%s, %g of the edges: %+v of %d bytes", name, share, d, within.DeviceMemory)
					}
				}
				if !same(got.Columns, want.Columns) || !b.Converged {
					t.Errorf("%s, %g of the edges, %s: another result", name, share, device)
				}
			}
		}
	}
}

// With a cycle several devices do what one does: a sum has no result, other programs start again iteration by
// iteration.
func TestChain_NoTopologicalOrder(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	for name, gain := range map[string]float64{"max-cost": -1000, "num-paths": 1} {
		g, along := braid(rng, 300, 20_000)
		back(g, along[200], along[100], gain)
		snap := g.stored(t, 8<<10)
		req := Request{Algorithm: name, Params: map[string]string{"source": g.users[along[0]]}}
		want, wantErr := Run(context.Background(), snap, req, Events{})
		within, _ := besideSorted(t, snap, req, 0.6)
		within.Device = "cpu,cpu"
		got, err := Run(context.Background(), snap, within, Events{})
		var diverged, wantDiverged *algorithms.DivergedError
		if errors.As(err, &diverged) != errors.As(wantErr, &wantDiverged) || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: %v, and with all edges on the device %v", name, err, wantErr)
		}
		if err == nil && (!same(got.Columns, want.Columns) || inTopologicalOrder(got)) {
			t.Errorf("%s: another result by %s", name, got.Report.Kernel)
		}
		if diverged != nil && len(diverged.Cycle) == 0 {
			t.Errorf("%s: %v names no cycle", name, err)
		}
	}
}
