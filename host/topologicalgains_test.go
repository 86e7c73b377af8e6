package host

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// gaining are programs whose values some edges may make better, by their weights: they have no other way then to settle
// than in topological order. Max-cost has none from the start, and its state takes as much.
var gaining = map[string]struct {
	weight func(*rand.Rand) float64 // which may gain
	free   float64                  // of a cycle's last edge, with which it gains nothing
	gains  float64                  // with which it does, for ever
	says   string                   // the error of that
}{
	"sssp": {func(rng *rand.Rand) float64 { return float64(rng.IntN(65)-32) / 64 }, 1e6, -1e6,
		"the source reaches a cycle of negative weight"},
	"max-reliability": {func(rng *rand.Rand) float64 { return 1 + float64(rng.IntN(3)-1)/64 }, 1e-9, 1e9,
		"the source reaches a cycle whose weights multiply to more than 1"},
}

// Paths along which edges make values better, through a deep graph without cycles that does not fit, come in
// topological order: each list is sent once and each edge is looked at once. A cycle that is not reached is not in the
// way.
func TestRun_TopologicalOrderWhereEdgesGain(t *testing.T) {
	t.Parallel()
	const n = 5000
	rng := testseed.Rand(t)
	for _, name := range long.Raced(t, slices.Sorted(maps.Keys(gaining)), 1) {
		of := gaining[name]
		g, along := ladder(rng, n, n, func() float64 { return of.weight(rng) })
		back(g, along[5], along[2], of.gains)
		snap := g.stored(t, 4<<10+rng.IntN(4<<10)) // parts of which have room to settle, until an edge gains
		params := map[string]string{"source": g.users[along[6]]}
		mustSendOnce(t, name, g, snap, Request{Algorithm: name, Params: params}, Request{Algorithm: "max-cost", Params: params})
		if name != "sssp" {
			continue
		}
		own := func(reduce, identity string) Request {
			return Request{Params: params, Custom: &algorithms.Custom{Process: "src.cost + edge.weight - 0.25", Reduce: reduce,
				Init: "id == source ? 0.0 : " + identity}}
		}
		mustSendOnce(t, "a program of one's own", g, snap, own("min", "inf"), own("max", "-inf"))
	}
}

// Where edges gain, what is streamed agrees with what is computed in memory, and with the oracle, with cycles and
// without, that gain and that do not: values to the bit, and errors.
func TestRun_TopologicalOrderWhereEdgesGainOnAnyGraph(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	rng := testseed.Rand(t)
	for name, of := range testseed.Sorted(gaining) {
		a, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for turn := range 3 {
			n := 200 + rng.IntN(200)
			g, along := ladder(rng, n, 12_000+rng.IntN(6000), func() float64 { return of.weight(rng) })
			from := rng.IntN(20)
			if i := from + 1 + rng.IntN(n-from-1); turn > 0 { // to one before, which may be reached
				back(g, along[i], along[rng.IntN(i)], []float64{of.free, of.gains}[turn%2])
			}
			snap := g.stored(t, 2<<10+rng.IntN(4<<10))
			req := Request{Algorithm: name, Params: map[string]string{"source": g.users[along[from]]}, Threads: 1 + rng.IntN(3)}
			args, err := a.Bind(req.Params, g.env())
			if err != nil {
				t.Fatal(err)
			}
			oracle, oracleErr := a.Oracle(g.inMemory(), args)
			want, wantErr := Run(context.Background(), snap, req, Events{})
			within, _ := besideSorted(t, snap, req, 0.5+rng.Float64()/8)
			got, err := Run(context.Background(), snap, within, Events{})
			var diverged, wantDiverged, oracleDiverged *algorithms.DivergedError
			errors.As(oracleErr, &oracleDiverged)
			switch {
			case errors.As(err, &diverged) && errors.As(wantErr, &wantDiverged):
				if oracleDiverged == nil || diverged.Meaning != wantDiverged.Meaning ||
					!strings.HasPrefix(diverged.Meaning, of.says) {
					t.Errorf("%s, turn %d: %v, with all edges on the device %v, and the oracle says %v", name, turn, err, wantErr, oracleErr)
				}
			case err != nil || wantErr != nil || oracleErr != nil:
				t.Errorf("%s, turn %d: %v, with all edges on the device %v, and the oracle says %v", name, turn, err, wantErr, oracleErr)
			case !same(got.Columns, want.Columns) || !same(got.Columns, oracle):
				t.Errorf("%s, turn %d: another result by %s", name, turn, got.Report.Kernel)
			case turn == 0 && !inTopologicalOrder(got):
				t.Errorf("%s: no cycle, but by %s, because %s", name, got.Report.Kernel, got.Report.Why)
			}
		}
	}
}

// A cycle that is reached has a run whose edges gain go iteration by iteration: to the same values, or to the error
// that there are none.
func TestRun_CyclesWhereEdgesGain(t *testing.T) {
	t.Parallel()
	const n = 400
	rng := testseed.Rand(t)
	for _, name := range long.Raced(t, slices.Sorted(maps.Keys(gaining)), 1) {
		of := gaining[name]
		g, along := ladder(rng, n, 8000, func() float64 { return of.weight(rng) })
		g.edges = append(g.edges, algorithms.Edge{})
		for _, weight := range []float64{of.free, of.gains} {
			g.edges = g.edges[:len(g.edges)-1]
			back(g, along[n-1], along[n/2], weight)
			snap := g.stored(t, 4<<10)
			req := Request{Algorithm: name, Params: map[string]string{"source": g.users[along[0]]}}
			want, wantErr := Run(context.Background(), snap, req, Events{})
			within, _ := besideSorted(t, snap, Request{Algorithm: "max-cost", Params: req.Params}, 0.6)
			req.DeviceMemory = within.DeviceMemory
			got, err := Run(context.Background(), snap, req, Events{})
			var diverged *algorithms.DivergedError
			switch {
			case weight == of.gains:
				if !errors.As(wantErr, &diverged) || !errors.As(err, &diverged) || diverged.Iterations > 0 ||
					!strings.HasPrefix(diverged.Meaning, of.says) {
					t.Errorf("%s, a cycle that gains: %v, and in memory %v", name, err, wantErr)
				}
			case err != nil || wantErr != nil:
				t.Errorf("%s, a cycle that gains nothing: %v, %v", name, err, wantErr)
			case inTopologicalOrder(got) || !same(got.Columns, want.Columns) ||
				!strings.Contains(got.Report.Why, "what sends first reaches a cycle"):
				t.Errorf("%s: by %s, because %s; or another result", name, got.Report.Kernel, got.Report.Why)
			}
		}
	}
}

// Factors below 0, which have no meaning, make the best value the worst: no order settles that, and iterations give
// what they give in memory.
func TestRun_FactorsThatTurnTheOrderRound(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	g, along := ladder(rng, 400, 8000, func() float64 { return []float64{-0.5, 1.25, 0.5, 1}[rng.IntN(4)] })
	snap := g.stored(t, 4<<10)
	req := Request{Algorithm: "max-reliability", Params: map[string]string{"source": g.users[along[0]]}}
	want := mustRun(t, snap, req)
	within, _ := besideSorted(t, snap, Request{Algorithm: "max-cost", Params: req.Params}, 0.6)
	req.DeviceMemory = within.DeviceMemory
	if got := mustRun(t, snap, req); inTopologicalOrder(got) || !same(got.Columns, want.Columns) ||
		!strings.Contains(got.Report.Why, "better values become worse ones") {
		t.Errorf("by %s, because %s; or another result", got.Report.Kernel, got.Report.Why)
	}
}

// A run where edges gain, whose device dies, goes on from its checkpoint. Its first device refuses the edges.
func TestRun_TopologicalOrderWhereEdgesGainResumes(t *testing.T) {
	rng := testseed.Rand(t)
	g, along := ladder(rng, 5000, 5000, func() float64 { return gaining["sssp"].weight(rng) })
	snap := g.stored(t, 8<<10)
	req := Request{Algorithm: "max-cost", Params: map[string]string{"source": g.users[along[0]]}}
	req, _ = besideSorted(t, snap, req, 0.25)
	req.Algorithm = "sssp"
	resumesInOrder(t, snap, req, 2)
}
