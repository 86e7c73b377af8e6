package host

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// searches are the programs that go level by level.
var searches = []string{"bfs", "reachability"}

// Two devices are given what one is, give or take headers, in a search that goes bottom up: once nearly all vertices
// are visited it asks for the edges of the others, and not for those of the frontier, which are nearly all; and it
// ends when there are no others.
func TestChain_SearchGoesBottomUp(t *testing.T) {
	long.Unraced(t)
	rng := testseed.Rand(t)
	for name, g := range map[string]*sample{"all reached": coreAndTail(rng, false), "not all": coreAndTail(rng, true)} {
		t.Run(name, func(t *testing.T) {
			snap := g.stored(t, 128<<10)
			for _, algorithm := range searches {
				checkSearch(t, snap, algorithm, g.users[0])
			}
		})
	}
}

// So do they in a graph of skewed degrees, parts of which no search reaches.
func TestChain_SearchOfSkewedDegrees(t *testing.T) {
	long.Unraced(t)
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 12, EdgeFactor: 16, Seed: testseed.New(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	snap := loaded(t, source)
	for _, algorithm := range searches {
		checkSearch(t, snap, algorithm, busiest(t, snap))
	}
}

// By lists two devices ask for the first entries of them, as one does, and for further ones after that: each tells how
// much it has looked at. Else they are given ten times as much. And two find what is joined with the source, which is
// all that lists without weights leave of the most reliable path, where edges come but once: what else is joined is
// alike, and yet has to be told. Level by level they are given five times as much.
func TestChain_AsksForPartsOfLists(t *testing.T) {
	long.Unraced(t)
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 14, EdgeFactor: 16, Seed: testseed.New(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	snap := loaded(t, source)
	for _, algorithm := range []string{"bfs", "max-reliability"} {
		for _, schedule := range []string{"whole", "subway"} {
			req := Request{Algorithm: algorithm, Params: map[string]string{"source": busiest(t, snap)}, Threads: 2,
				Schedule: schedule, Synchronous: true}
			one, two := oneAndTwo(t, snap, req, 4)
			a, b := one.Report, two.Report
			t.Logf("%s, %s: %d + %d bytes in %d iterations; one %d in %d, by %s", algorithm, schedule, b.Bytes.Transfer,
				b.Bytes.Forwarded, b.Iterations, a.Bytes.Transfer, a.Iterations, a.Kernel)
			if float64(b.Bytes.Transfer+b.Bytes.Forwarded) > 1.15*float64(a.Bytes.Transfer) || a.Kernel != b.Kernel {
				t.Errorf("%s, %s: %+v by %s in %d iterations; one device %+v by %s in %d", algorithm, schedule, b.Bytes, b.Kernel,
					b.Iterations, a.Bytes, a.Kernel, a.Iterations)
			}
			if !same(one.Columns, two.Columns) || !b.Converged {
				t.Errorf("%s, %s: another result than of one device, converged %t", algorithm, schedule, b.Converged)
			}
		}
	}
}

// Of a deep graph neugraph, too, sends two devices the lists of the few vertices that are active, though the host keeps
// what whole chunks come to for each device, so that these take it no time. Else it is many times as much.
func TestChain_FiltersWhatCostsNoTime(t *testing.T) {
	const side = 64
	g := &sample{}
	for v := range side * side {
		g.users = append(g.users, strconv.Itoa(v))
		for _, u := range []int{v + 1, v + side} {
			if u < side*side && (u != v+1 || u%side > 0) {
				weights := map[string]float64{"weight": 1}
				g.edges = append(g.edges, algorithms.Edge{Src: uint32(v), Dst: uint32(u), Weights: weights})
			}
		}
	}
	snap := g.stored(t, 16<<10)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": "0"}, Threads: 1, Schedule: "neugraph"}
	_, filtered := oneAndTwo(t, snap, req, 2)
	req.Schedule = "subway"
	_, lists := oneAndTwo(t, snap, req, 2)
	got, least := filtered.Report.Bytes.Transfer, lists.Report.Bytes.Transfer
	t.Logf("%d bytes in %d iterations; lists alone are %d", got, filtered.Report.Iterations, least)
	if float64(got) > 1.1*float64(least) || !same(filtered.Columns, lists.Columns) {
		t.Errorf("two devices are given %d bytes; lists alone are %d", got, least)
	}
}

// oneAndTwo runs on one device and on two, with room for a part of the edges.
func oneAndTwo(t *testing.T, snap *store.Snapshot, req Request, part uint64) (one, two *Result) {
	t.Helper()
	req.Device = "cpu"
	needs, err := Estimate(t.Context(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.Minimum + (needs.Resident-needs.Minimum)/part
	one = mustRun(t, snap, req)
	req.Device = "cpu,cpu"
	return one, mustRun(t, snap, req)
}

// busiest is the vertex with the most edges: from others a search may reach nothing.
func busiest(t *testing.T, snap *store.Snapshot) string {
	t.Helper()
	degrees := make([]int64, snap.Manifest().Vertices)
	if err := snap.FillDegrees(t.Context(), chunk.Out, degrees); err != nil {
		t.Fatal(err)
	}
	at := uint64(slices.Index(degrees, slices.Max(degrees)))
	ids, err := snap.UserIDs(t.Context(), at, at+1)
	if err != nil {
		t.Fatal(err)
	}
	return ids.Text(0)
}

// checkSearch compares what two devices are given with what one is.
func checkSearch(t *testing.T, snap *store.Snapshot, algorithm, source string) {
	t.Helper()
	req := Request{Algorithm: algorithm, Params: map[string]string{"source": source}, Threads: 2, Schedule: "whole"}
	one, two := oneAndTwo(t, snap, req, 2)
	a, b := one.Report, two.Report
	t.Logf("%s: %d + %d bytes in %d iterations; one %d in %d", algorithm, b.Bytes.Transfer, b.Bytes.Forwarded,
		b.Iterations, a.Bytes.Transfer, a.Iterations)
	if float64(b.Bytes.Transfer+b.Bytes.Forwarded) > 1.15*float64(a.Bytes.Transfer) || b.Iterations != a.Iterations {
		t.Errorf("%s: %+v by %s in %d iterations; one device %+v by %s in %d", algorithm, b.Bytes, b.Kernel, b.Iterations,
			a.Bytes, a.Kernel, a.Iterations)
	}
	if told := 2 * (4 + 8) * a.Vertices; b.Bytes.Exchanged == 0 || b.Bytes.Exchanged > told {
		t.Errorf("%s: %d bytes of state were told; there and back, each vertex once with its number, are %d", algorithm,
			b.Bytes.Exchanged, told)
	}
	if !same(one.Columns, two.Columns) || !b.Converged {
		t.Errorf("%s: another result than of one device, converged %t", algorithm, b.Converged)
	}
}

// coreAndTail is a graph whose vertex 0 reaches a hub of 63, these a core of 1,024 with most of the edges, and that a
// tail of 64 behind it; left: and two more that nothing reaches.
func coreAndTail(rng *rand.Rand, left bool) *sample {
	const hub, core, tail = 64, 1088, 1152
	g := &sample{}
	edge := func(u, v int) {
		g.edges = append(g.edges, algorithms.Edge{Src: uint32(u), Dst: uint32(v), Weights: map[string]float64{"weight": 1}})
	}
	for v := 1; v < hub; v++ {
		edge(0, v)
	}
	for v := hub; v < core; v++ {
		edge(1+v%(hub-1), v)
	}
	for range 60_000 {
		edge(1+rng.IntN(hub-1), hub+rng.IntN(core-hub))
	}
	for range 90_000 {
		edge(hub+rng.IntN(core-hub), hub+rng.IntN(core-hub))
	}
	for v := core; v < tail; v++ {
		edge(hub+rng.IntN(core-hub), v)
	}
	n := tail
	if left {
		edge(tail, tail+1)
		n += 2
	}
	for v := range n {
		g.users = append(g.users, strconv.Itoa(v))
	}
	return g
}

// A search on two devices or three has the answer of one, whatever the schedule, the budget and the graph: directed or
// not, of few edges, so that levels are many and much is not reached, or of many; and from several sources.
func TestChain_SearchesAnywhere(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	for _, algorithm := range searches {
		a, err := catalog.Lookup(algorithm)
		if err != nil {
			t.Fatal(err)
		}
		for _, edges := range long.Draw(t, []int{60, 120, 300, 1500}, 2) {
			g := random(rng, 100+rng.IntN(100), edges, rng.IntN(3) == 0, false, false)
			snap := g.stored(t, 512+rng.IntN(2048))
			checkChain(t, rng, snap, g, a, map[string]string{"source": g.users[rng.IntN(len(g.users))]})
			req := Request{Algorithm: algorithm, Sources: someOf(rng, g.users, 3), Threads: 1, Device: "cpu"}
			want := mustRun(t, snap, req)
			req.Device = "cpu,cpu"
			if got := mustRun(t, snap, req); !same(got.Columns, want.Columns) {
				t.Errorf("%s from %v, directed %t: another result than of one device", algorithm, req.Sources, g.directed)
			}
		}
	}
}
