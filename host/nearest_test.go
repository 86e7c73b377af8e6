package host

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// roadMap is a map of side×side crossings, each with roads of a random length to its neighbors, and so many roads, or
// one-way roads, anywhere beside them.
func roadMap(rng *rand.Rand, side, beside int, directed bool) *sample {
	g := random(rng, side*side, beside, directed, false, false)
	road := func(u, v int) {
		weights := map[string]float64{"weight": float64(rng.IntN(65)) / 64, "toll": float64(rng.IntN(9))}
		g.edges = append(g.edges, algorithms.Edge{Src: uint32(u), Dst: uint32(v), Weights: weights})
	}
	for v := range side * side {
		if v%side+1 < side {
			road(v, v+1)
		}
		if v+side < side*side {
			road(v, v+side)
		}
		if directed && v%side > 0 {
			road(v, v-1)
		}
	}
	return g
}

// nearestFirst is what kernels of runs in the order of values are called.
const nearestFirst = "nearest first"

// withRoom is a request with room for a share of the edges beside the state of a run that is streamed, and what all of
// the edges take.
func withRoom(t *testing.T, snap *store.Snapshot, req Request, share float64) (within Request, edges uint64) {
	t.Helper()
	all, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = all.Resident - 1
	streamed, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	edges = all.Resident - all.State
	req.DeviceMemory = streamed.State + uint64(share*float64(edges))
	return req, edges
}

// A wave goes through a road map once: each edge is sent about once and looked at about once, in about as few shipments
// as hold all edges.
func TestRun_WaveOfARoadMap(t *testing.T) {
	t.Parallel()
	const side = 150
	rng := testseed.Rand(t)
	g := roadMap(rng, side, 0, false)
	snap := g.stored(t, 32<<10)
	for _, name := range long.Raced(t, []string{"bfs", "sssp", "max-reliability"}, 1) { // weights are below 1
		req := Request{Algorithm: name, Params: map[string]string{"source": g.users[rng.IntN(len(g.users))]}}
		want := mustRun(t, snap, req)
		for shipments, share := range map[int]float64{8: 0.5, 16: 0.25} {
			within, edges := withRoom(t, snap, req, share)
			got := mustRun(t, snap, within).Report
			if got.Kernel != nearestFirst || got.PeakDeviceBytes > within.DeviceMemory {
				t.Errorf("%s, %g of the edges: by %s, %d of %d bytes", name, share, got.Kernel, got.PeakDeviceBytes,
					within.DeviceMemory)
			}
			if lists := edges + 8*side*side; got.Bytes.Transfer > lists*13/10 {
				t.Errorf("%s, %g of the edges: %d bytes sent, of lists of %d", name, share, got.Bytes.Transfer, lists)
			}
			if all := 2 * uint64(len(g.edges)); got.EdgesProcessed > all*11/10 {
				t.Errorf("%s, %g of the edges: %d edges looked at, of %d", name, share, got.EdgesProcessed, all)
			}
			// What the probe has looked at is not read again. A view reads a little more than a chunk in its place.
			if all := want.Report.Bytes.Storage; name == "sssp" && got.Bytes.Storage > all*3/2 {
				t.Errorf("%s, %g of the edges: %d bytes read, of %d that there are", name, share, got.Bytes.Storage, all)
			}
			if got.Iterations > 2*shipments {
				t.Errorf("%s, %g of the edges: %d iterations", name, share, got.Iterations)
			}
			// Much of what the wave comes to is chosen while the device is at work.
			if n := got.Nearest; n == nil || n.Ahead < side*side/3 || n.Dropped > n.Ahead/10 {
				t.Errorf("%s, %g of the edges: chosen meanwhile: %+v, of %d lists", name, share, n, side*side)
			}
			if columns := mustRun(t, snap, within).Columns; !same(columns, want.Columns) {
				t.Errorf("%s, %g of the edges: another result", name, share)
			}
		}
	}
}

// Lists that the wave has left behind do not come again: where many roads begin, what lies ahead takes all of the
// room.
func TestRun_NothingIsSentThatLiesBehind(t *testing.T) {
	const roads, length = 700, 40
	rng := testseed.Rand(t)
	g := random(rng, roads*length+1, 0, false, false, false)
	for v := range roads * length {
		next := uint32(v + 1)
		if next%length == 0 {
			next = roads * length
		}
		g.edges = append(g.edges, algorithms.Edge{Src: uint32(v), Dst: next,
			Weights: map[string]float64{"weight": float64(1+rng.IntN(64)) / 64}})
	}
	snap := g.stored(t, 32<<10)
	req := Request{Algorithm: "sssp", Params: map[string]string{"source": g.users[roads*length]}}
	within, edges := withRoom(t, snap, req, 0.05)
	got := mustRun(t, snap, within).Report
	if lists := edges + 8*roads*length; got.Kernel != nearestFirst || got.Bytes.Transfer > lists*6/5 {
		t.Errorf("by %s, %d bytes sent, of lists of %d", got.Kernel, got.Bytes.Transfer, lists)
	}
}

// A ragged front, as those of the widest and the narrowest paths, does not have lists come again and again that are
// given up unused as the wave waits for another: in room for a sixteenth of the edges all together are sent once, or a
// little more.
func TestRun_RaggedFront(t *testing.T) {
	t.Parallel()
	const side = 250
	rng := testseed.Rand(t)
	g := roadMap(rng, side, 0, false)
	snap := g.stored(t, 32<<10)
	for _, name := range long.Raced(t, []string{"widest-path", "narrowest-path"}, 1) {
		req := Request{Algorithm: name, Params: map[string]string{"source": g.users[rng.IntN(len(g.users))]}}
		within, edges := withRoom(t, snap, req, 1./16)
		got, want := mustRun(t, snap, within), mustRun(t, snap, req)
		lists := edges + 8*side*side
		t.Logf("%s: %d bytes sent in %d iterations, of lists of %d", name, got.Report.Bytes.Transfer, got.Report.Iterations, lists)
		if r := got.Report; r.Kernel != nearestFirst || r.Bytes.Transfer > 5*lists/2 ||
			r.PeakDeviceBytes > within.DeviceMemory {
			t.Errorf("%s: by %s, %d bytes sent, of lists of %d; %d of %d held", name, r.Kernel, r.Bytes.Transfer, lists,
				r.PeakDeviceBytes, within.DeviceMemory)
		}
		if n := got.Report.Nearest; n.Lists-n.Again != side*side || n.Again > n.Lists/2 {
			t.Errorf("%s: %+v of %d vertices", name, n, side*side)
		}
		if !same(got.Columns, want.Columns) {
			t.Errorf("%s: another result", name)
		}
	}
}

// From none on, with ever more roads that lead anywhere, a map is less and less deep. In either case, at any budget,
// results are those of a run with all edges on the device.
func TestRun_NearestFirstOnAnyMap(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	rng := testseed.Rand(t)
	ran := map[bool]int{}
	// Nothing gets through some roads of the map.
	names := long.Draw(t, []string{"bfs", "sssp", "widest-path", "narrowest-path", "max-reliability"}, 2)
	for _, name := range names {
		for _, beside := range []int{0, 30, 30_000} {
			directed := beside > 0 && rng.IntN(2) == 0 // the map of roads alone is deep for sure
			g := roadMap(rng, 90, beside, directed)
			snap := g.stored(t, 4<<10+rng.IntN(16<<10))
			req := Request{Algorithm: name, Params: map[string]string{"source": g.users[rng.IntN(len(g.users))]},
				Threads: 1 + rng.IntN(3)}
			want := mustRun(t, snap, req)
			for _, share := range []float64{0.5, 0.2 + rng.Float64()*0.7} {
				within, _ := withRoom(t, snap, req, share)
				got := mustRun(t, snap, within)
				near := got.Report.Kernel == nearestFirst
				ran[near]++
				if !same(got.Columns, want.Columns) || got.Report.PeakDeviceBytes > within.DeviceMemory {
					t.Errorf("%s, %d roads beside, %d bytes, nearest first %v: another result, or %d bytes", name, beside,
						within.DeviceMemory, near, got.Report.PeakDeviceBytes)
				}
				if beside == 0 && share == 0.5 && !near {
					t.Errorf("%s on a map of roads alone: by %s, because %s", name, got.Report.Kernel, got.Report.Why)
				}
				if beside == 30_000 && (near || !strings.Contains(got.Report.Why, "not nearest first: ")) {
					t.Errorf("%s, %d roads beside: nearest first %v, %s", name, beside, near, got.Report.Why)
				}
			}
		}
	}
	if ran[true] == 0 || ran[false] == 0 {
		t.Errorf("nearest first or not: %v", ran)
	}
}

// Values that an edge may make better settle in no order; a cycle that makes them better for ever is found as
// elsewhere.
func TestRun_NegativeRoads(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	rng := testseed.Rand(t)
	g := roadMap(rng, 40, 0, true)
	for i := range g.edges {
		g.edges[i].Weights["weight"]++ // there and back is no gain then
	}
	first := &g.edges[rng.IntN(len(g.edges))]
	for _, weight := range []float64{-0.5, -1e6} {
		first.Weights["weight"] = weight
		snap := g.stored(t, 16<<10)
		req := Request{Algorithm: "sssp", Params: map[string]string{"source": g.users[0]}}
		want, wantErr := Run(context.Background(), snap, req, Events{})
		within, _ := withRoom(t, snap, req, 0.5)
		got, err := Run(context.Background(), snap, within, Events{})
		var diverged *algorithms.DivergedError
		if errors.As(err, &diverged) != errors.As(wantErr, &diverged) || err == nil && !same(got.Columns, want.Columns) {
			t.Errorf("a road of %g: %v, and with all edges on the device %v", weight, err, wantErr)
		}
	}
}

// A device that settles nothing is told so, at once: that is no cycle that makes values better for ever.
func TestRun_NearestFirstGetsOn(t *testing.T) {
	processtest.Traceless(t)
	g := roadMap(testseed.Rand(t), 60, 0, false)
	snap := g.stored(t, 16<<10)
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	req, _ := withRoom(t, snap, Request{Algorithm: "sssp", Params: map[string]string{"source": g.users[0]}, Device: self}, 0.25)
	if r := mustRun(t, snap, req).Report; r.Kernel != nearestFirst {
		t.Fatalf("by %s, because %s", r.Kernel, r.Why)
	}
	t.Setenv(faultsVariable, "stall at settle 2")
	mustStall := func(iterations int) {
		ended := 0
		_, err = Run(context.Background(), snap, req, Events{Iterated: func(i IterationReport) { ended = i.Number }})
		if plugins.KindOf(err) != plugins.KindInternal || !strings.Contains(err.Error(), "nothing settles: ") ||
			strings.Contains(err.Error(), "cycle") || ended != iterations {
			t.Errorf("after %d iterations, %d expected: %v", ended, iterations, err)
		}
	}
	mustStall(1)
	t.Setenv(faultsVariable, "stall at every settle")
	mustStall(0)
}

// A list that is too long for a slot is not sent in parts: another way is taken. No search comes by it beforehand, for
// all others see few edges.
func TestRun_ALongListIsNotNearestFirst(t *testing.T) {
	rng := testseed.Rand(t)
	g := roadMap(rng, 60, 0, true)
	for v := range 2000 { // one-way, to where no road leads on
		g.users = append(g.users, "end"+strconv.Itoa(v))
		g.edges = append(g.edges, algorithms.Edge{Src: 59, Dst: uint32(60*60 + v),
			Weights: map[string]float64{"weight": 1}})
	}
	snap := g.stored(t, 16<<10)
	req := Request{Algorithm: "sssp", Params: map[string]string{"source": g.users[0]}}
	want := mustRun(t, snap, req)
	within, _ := withRoom(t, snap, req, 0.25)
	got := mustRun(t, snap, within)
	if r := got.Report; r.Kernel == nearestFirst || !same(got.Columns, want.Columns) ||
		!strings.Contains(r.Why, "not nearest first: the longest list takes ") {
		t.Errorf("by %s, because %s; or another result", r.Kernel, r.Why)
	}
}

// Where the memory keeps no chunk at hand, lists are not looked at one by one: that would read each chunk over and
// over.
func TestRun_NearestFirstNeedsChunksAtHand(t *testing.T) {
	t.Parallel()
	g := roadMap(testseed.Rand(t), 60, 0, false)
	snap := g.stored(t, 16<<10)
	req, _ := withRoom(t, snap, Request{Algorithm: "sssp", Params: map[string]string{"source": g.users[0]}}, 0.5)
	got, _ := runOn(t, &Engine{memory: 1, machine: 1 << 30}, snap, req)
	if r := got.Report; r.Kernel == nearestFirst || !strings.Contains(r.Why, "chunks do not stay at hand") {
		t.Errorf("by %s, because %s", r.Kernel, r.Why)
	}
}

// What asks for iterations in step, or for whose data is of use in each, has it so; so do other programs. The report
// and the estimate say why.
func TestRun_NearestFirstGivesWay(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	g := roadMap(testseed.Rand(t), 60, 0, false)
	snap := g.stored(t, 16<<10)
	source := map[string]string{"source": g.users[0]}
	for _, c := range []struct {
		req  Request
		says string // empty: the schedule never goes nearest first
	}{
		{Request{Algorithm: "sssp", Params: source, Synchronous: true}, "--synchronous asks for iterations in step"},
		{Request{Algorithm: "sssp", Params: source, Accounting: true}, "--accounting looks at every iteration"},
		{Request{Algorithm: "pagerank-delta"}, "the program does not keep the least or the greatest message"},
		{Request{Algorithm: "sssp", Params: source, Schedule: "subway"}, ""},
	} {
		req, _ := withRoom(t, snap, c.req, 0.5)
		r := mustRun(t, snap, req).Report
		needs, err := Estimate(context.Background(), snap, req)
		_, says, _ := strings.Cut(r.Why, "; not nearest first: ")
		says, _, _ = strings.Cut(says, "; without")
		if err != nil || r.Kernel == nearestFirst || says != c.says || needs.Why != r.Why {
			t.Errorf("%+v: by %s, because %s; expected %q; estimated %+v, %v", c.req, r.Kernel, r.Why, c.says, needs, err)
		}
	}
	req, _ := withRoom(t, snap, Request{Algorithm: "sssp", Params: source}, 0.5)
	if r := mustRun(t, snap, req).Report; r.Kernel != nearestFirst || strings.Contains(r.Why, "not nearest first") {
		t.Errorf("by %s, because %s", r.Kernel, r.Why)
	}
}

// A run whose device dies goes on from its checkpoint, when nothing is on the device yet.
func TestRun_NearestFirstResumes(t *testing.T) {
	g := roadMap(testseed.Rand(t), 100, 0, false)
	snap := g.stored(t, 16<<10)
	req, _ := withRoom(t, snap, resumable(t, Request{Algorithm: "sssp", Params: map[string]string{"source": g.users[0]}}),
		0.25)
	want := mustRun(t, snap, req)
	if want.Report.Kernel != nearestFirst || want.Report.Iterations < 6 {
		t.Fatalf("%d iterations by %s", want.Report.Iterations, want.Report.Kernel)
	}
	k := killer{kills: 1, after: 3}
	got, err := Run(context.Background(), snap, req, k.events())
	if err != nil || got.Report.ResumedFrom == 0 || !same(got.Columns, want.Columns) {
		t.Fatalf("error %v, %d launches", err, k.launches)
	}
}
