package host

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// hops counts edges from the source, whichever way they lead: a monotone program along both directions that is no
// algorithm of the catalog, and that no device knows better than by messages.
var hops = &algorithms.Program{
	Name:    "hops",
	State:   []algorithms.State{{Name: "far", Type: algorithms.Float, Init: algorithms.Expr{Source: "id == source ? 0.0 : inf"}}},
	Process: algorithms.Expr{Source: "src.far + 1.0"}, Reduce: algorithms.Min, Edges: algorithms.BothSides,
	Activity: algorithms.Changed, Order: algorithms.Monotone,
	Constants: []algorithms.Constant{{Name: "source", Type: algorithms.VertexID}},
}

// Every program that is monotone or accumulative runs by scaph: with chunks that do not fit, and along both directions
// of directed edges. The answer is that of a run with all chunks on the device, and right.
func TestRun_ScaphHasEveryProgram(t *testing.T) {
	names := []string{"bfs", "sssp", "wcc", "widest-path", "narrowest-path", "reachability", "pagerank-delta", "hops"}
	for _, name := range long.Draw(t, names, 3) {
		for _, directed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, directed %v", name, directed), func(t *testing.T) {
				t.Parallel()
				rng := testseed.Rand(t)
				g := random(rng, 2000, 30_000, directed, false, false)
				checkScaph(t, rng, g, name, 10<<10+rng.IntN(200<<10))
			})
		}
	}
}

func checkScaph(t *testing.T, rng *rand.Rand, g *sample, name string, chunkBytes int) {
	t.Helper()
	snap := g.stored(t, chunkBytes)
	req := Request{Algorithm: name, Params: map[string]string{}, Threads: 1 + rng.IntN(3)}
	var a *algorithms.Algorithm
	if source := g.users[rng.IntN(len(g.users))]; name == hops.Name {
		req.Algorithm, req.Program, req.Sources = "", hops, []string{source}
	} else {
		var err error
		if a, err = catalog.Lookup(name); err != nil {
			t.Fatal(err)
		}
		if len(a.Params) > 0 && a.Params[0].Name == "source" {
			req.Params["source"] = source
		}
		roughly(a, req.Params)
	}
	want := mustRun(t, snap, req)
	needs := needsOfScaph(t, snap, req)
	for _, part := range []uint64{2, 4, 8} {
		req.Schedule, req.DeviceMemory = "scaph", needs.State+max(leastRoom, (needs.Resident-needs.State)/part)
		got := mustRun(t, snap, req)
		r := got.Report
		switch {
		case r.Schedule != "scaph" || r.PeakDeviceBytes > req.DeviceMemory:
			t.Errorf("1/%d: schedule %s, peak %d of %d", part, r.Schedule, r.PeakDeviceBytes, req.DeviceMemory)
		case a == nil || !a.Approximate:
			if !same(got.Columns, want.Columns) {
				t.Errorf("1/%d, %d bytes a chunk: another answer than with all chunks on the device", part, chunkBytes)
			}
		default:
			args, err := a.Bind(req.Params, g.env())
			if err = errors.Join(err, a.Verify(g.inMemory(), args, got.Columns)); err != nil {
				t.Errorf("1/%d: %v", part, err)
			}
		}
	}
}

// leastRoom is what chunks have in these tests, at least: slots for lists of some dozens of edges, and tiles.
const leastRoom = 40 << 10

// needsOfScaph is what a request needs that streams by scaph, whose state differs from that of other ways.
func needsOfScaph(t *testing.T, snap *store.Snapshot, req Request) *Needs {
	t.Helper()
	needs, err := Estimate(t.Context(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.Schedule, req.DeviceMemory = "scaph", needs.Resident-1
	if needs, err = Estimate(t.Context(), snap, req); err != nil {
		t.Fatal(err)
	}
	return needs
}

// Without weights sssp cannot diverge, so that parts of a graph settle.
func TestRun_ScaphHasPathsWithoutWeights(t *testing.T) {
	rng := testseed.Rand(t)
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 10, EdgeFactor: 8, Seed: rng.Uint64()})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	db, err := store.Open(t.TempDir(), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Load(t.Context(), "g", source, store.LoadOptions{ChunkBytes: 8 << 10}); err != nil {
		t.Fatal(err)
	}
	snap, err := db.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	for _, name := range []string{"sssp", "max-reliability", "bfs"} {
		req := Request{Algorithm: name, Params: map[string]string{"source": vertexOf(t, snap)}}
		want := mustRun(t, snap, req)
		needs := needsOfScaph(t, snap, req)
		req.Schedule, req.DeviceMemory = "scaph", needs.State+(needs.Resident-needs.State)/2
		if got := mustRun(t, snap, req); !same(got.Columns, want.Columns) || got.Report.Schedule != "scaph" {
			t.Errorf("%s by %s: another answer than with all chunks on the device", name, got.Report.Schedule)
		}
	}
}

var least = regexp.MustCompile(`^all ([0-9]+) edges of vertex ([0-9]+) must be on the device at once, which takes a budget of ([0-9]+) bytes$`)

// All edges of a vertex must be there when it sends. A budget without room for those of a hub is refused, with the
// vertex, and the least that will do, with which it runs.
func TestRun_ScaphNamesTheLongestList(t *testing.T) {
	rng := testseed.Rand(t)
	for _, algorithm := range []string{"wcc", "sssp"} {
		g := random(rng, 30_000, 20_000, true, false, false)
		for i := range 29_999 {
			g.edges = append(g.edges, algorithms.Edge{Src: 7, Dst: uint32(i), Weights: map[string]float64{"weight": 1, "toll": 1}})
		}
		snap := g.stored(t, 64<<10)
		req := Request{Algorithm: algorithm, Params: map[string]string{}}
		if algorithm == "sssp" {
			req.Params["source"] = g.users[7]
		}
		want := mustRun(t, snap, req)
		needs := needsOfScaph(t, snap, req)
		refused := req
		refused.Schedule, refused.DeviceMemory = "scaph", needs.State+(needs.Resident-needs.State)/6
		_, err := Run(t.Context(), snap, refused, Events{})
		var refusal *ScheduleError
		if !errors.As(err, &refusal) {
			t.Fatalf("%s: error %v", algorithm, err)
		}
		words := least.FindStringSubmatch(refusal.Reason)
		if words == nil || words[2] != g.users[7] {
			t.Fatalf("%s: %q; the vertex is %s", algorithm, refusal.Reason, g.users[7])
		}
		if refused.DeviceMemory, err = strconv.ParseUint(words[3], 10, 64); err != nil {
			t.Fatal(err)
		}
		got := mustRun(t, snap, refused)
		if !same(got.Columns, want.Columns) || got.Report.PeakDeviceBytes > refused.DeviceMemory {
			t.Errorf("%s in %d bytes: another answer, or a peak of %d", algorithm, refused.DeviceMemory,
				got.Report.PeakDeviceBytes)
		}
		refused.DeviceMemory--
		if _, err := Run(t.Context(), snap, refused, Events{}); !errors.As(err, &refusal) {
			t.Errorf("%s with a byte less: error %v", algorithm, err)
		}
	}
}

// With thresholds that nothing is above, all lists are sent in tiles, and with such that everything is, all chunks are
// sent whole and stay. The report counts both, and what of the tiles' room was empty.
func TestRun_ScaphReportsItsQueue(t *testing.T) {
	snap := random(testseed.Rand(t), 3000, 50_000, true, false, false).stored(t, 12<<10)
	req := Request{Algorithm: "wcc"}
	needs := needsOfScaph(t, snap, req)
	req.DeviceMemory = needs.State + (needs.Resident-needs.State)/2

	req.Schedule = "scaph:alpha=0,beta=0"
	high := mustRun(t, snap, req).Report
	if q := high.Queue; q == nil || q.High == 0 || q.Low+q.Tiles > 0 || q.Room+q.Unused > 0 || q.Turns < q.Rounds ||
		q.Useful == 0 || q.Processed < q.Useful {
		t.Errorf("all of high value: %+v", q)
	}
	req.Schedule = "scaph:alpha=1,beta=1"
	low := mustRun(t, snap, req).Report
	q := low.Queue
	if q == nil || q.Low == 0 || q.High+q.Hits+q.Turns > 0 || q.Tiles < q.Rounds || q.Useful+q.Processed > 0 {
		t.Fatalf("all of low value: %+v", q)
	}
	headers := low.Bytes.Transfer - min(low.Bytes.Transfer, q.Room-q.Unused)
	if each := headers / uint64(q.Tiles); each == 0 || each > 2*2048 || q.Unused >= q.Room {
		t.Errorf("%d bytes were sent in tiles with room for %d, of which %d are unused: %d a header", low.Bytes.Transfer,
			q.Room, q.Unused, each)
	}
	var all QueueReport
	for _, it := range low.PerIteration {
		all = all.Plus(*it.Queue)
	}
	if all != *q || q.Fragmentation() <= 0 || q.Fragmentation() >= 1 {
		t.Errorf("iterations come to %+v, the run to %+v", all, q)
	}
}

// By the model chunks are valued once something has been measured. The answer is the same.
func TestRun_ScaphByTheModel(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 3000, 50_000, true, false, false)
	snap := g.stored(t, 12<<10)
	req := Request{Algorithm: "widest-path", Params: map[string]string{"source": g.users[0]}}
	want := mustRun(t, snap, req)
	needs := needsOfScaph(t, snap, req)
	req.DeviceMemory = needs.State + (needs.Resident-needs.State)/2
	req.Schedule, req.ScaphValue = "scaph:alpha=0,beta=0", ModelValue
	got := mustRun(t, snap, req)
	if !same(got.Columns, want.Columns) || got.Report.Schedule != "scaph:alpha=0,beta=0,model=1" {
		t.Errorf("another answer by %s", got.Report.Schedule)
	}
	for i, it := range got.Report.PerIteration {
		if decided := strings.Contains(it.Rule, "by throughput"); decided != (i > 0) {
			t.Errorf("iteration %d: %s", it.Number, it.Rule)
		}
	}
}
