package host

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
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
	somePrograms(t, 4, func(t *testing.T, rng *rand.Rand, a *algorithms.Algorithm) {
		g, params := largeSample(rng, a, 12_000)
		checkTooLarge(t, g, Request{Algorithm: a.Name, Params: params}, 2)
	})
}

// So it is where the state is eight times what the device has.
func TestRun_StateInManyIntervals(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	names := []string{"bfs", "sssp", "wcc", "widest-path", "pagerank", "pagerank-delta"}
	for _, name := range long.Draw(t, names, 1) {
		t.Run(name, func(t *testing.T) {
			a, err := catalog.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			g, params := largeSample(testseed.Rand(t), a, 50_000)
			if name == "pagerank" {
				params["iterations"] = "3"
			}
			checkTooLarge(t, g, Request{Algorithm: name, Params: params}, 8)
		})
	}
}

// So it is with programs of one's own, which know of all vertices how many there are and what they add up to, and go
// along both ways of edges, by their properties and those of vertices.
func TestRun_UsersProgramInIntervals(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	expr := func(text string) algorithms.Expr { return algorithms.Expr{Source: text} }
	for name, p := range map[string]*algorithms.Program{
		"least": {Reduce: algorithms.Min, Edges: algorithms.BothSides, Order: algorithms.Monotone,
			State:   []algorithms.State{{Name: "cost", Type: algorithms.Float, Init: expr("double(id) / 8.0 + double(n)")}},
			Process: expr("src.cost + edge.toll * edge.weight")},
		"totals": {Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 4, Exactly: true,
			Aggregates: []algorithms.Aggregate{{Name: "all", Expr: expr("self.x * self.y")}},
			State: []algorithms.State{
				{Name: "x", Type: algorithms.Float, Init: expr("1.0 / double(n)"), Apply: expr("0.5 * acc + agg.all / double(n)")},
				{Name: "y", Type: algorithms.Float, Init: expr("2.0"), Apply: expr("self.y * 0.5 + self.x")}},
			Process: expr("src.x * 0.25")},
		"groups": {Reduce: algorithms.Max, Activity: algorithms.Always, MaxIterations: 4, Exactly: true,
			Aggregates: []algorithms.Aggregate{{Name: "all", Expr: expr("double(self.group * self.best % 3)")}},
			Properties: []algorithms.Property{{Name: group, Type: algorithms.Int}},
			State: []algorithms.State{{Name: "best", Type: algorithms.Int, Init: expr("group * 3"),
				Apply: expr("(max(self.best, acc) + self.group + int(agg.all)) % 1000")}},
			Process: expr("src.best + src.group * 5 - dst.group")},
	} {
		t.Run(name, func(t *testing.T) {
			p.Name = name
			rng := testseed.Rand(t)
			for _, times := range long.Draw(t, []uint64{2, 4}, 1) {
				g := random(rng, 20_000+rng.IntN(5000), 60_000, rng.IntN(2) == 0, false, false)
				g.grouped = true
				checkTooLarge(t, g, Request{Program: p}, times)
			}
		})
	}
}

// checkTooLarge computes on a device that has so many times less than its state takes.
func checkTooLarge(t *testing.T, g *sample, req Request, times uint64) {
	t.Helper()
	snap := g.stored(t, 32<<10*int(times)/2)
	req.Threads = 1
	want := mustRun(t, snap, req)
	req = tooLarge(t, snap, req, times)
	got := checkIntervals(t, snap, req)
	if strings.Contains(got.Report.Kernel, " sum") {
		checkClose(t, g, req, got, want)
	} else if !same(got.Columns, want.Columns) {
		t.Errorf("%d bytes, directed %v: another result than with all state on the device (%s)", req.DeviceMemory,
			g.directed, got.Report.Kernel)
	}
}

// checkClose compares sums, which are added up in another order.
func checkClose(t *testing.T, g *sample, req Request, got, want *Result) {
	t.Helper()
	if req.Program == nil {
		a, err := catalog.Lookup(req.Algorithm)
		if err != nil {
			t.Fatal(err)
		}
		args, err := a.Bind(req.Params, g.env())
		if err = errors.Join(err, a.Verify(g.inMemory(), args, got.Columns)); err != nil {
			t.Errorf("%d bytes: %v", req.DeviceMemory, err)
		}
		return
	}
	for i, c := range got.Columns {
		for v, x := range c.Floats {
			if y := want.Columns[i].Floats[v]; math.Abs(x-y) > 1e-9*math.Abs(y) {
				t.Fatalf("%d bytes: %s of vertex %d is %g, with all state on the device %g", req.DeviceMemory, c.Name, v, x, y)
			}
		}
	}
}

// checkIntervals runs with state in intervals, and compares what is reported with what was estimated.
func checkIntervals(t *testing.T, snap *store.Snapshot, req Request) *Result {
	t.Helper()
	var needs Needs
	got, err := Run(context.Background(), snap, req, Events{Planned: func(n Needs) { needs = n }})
	if err != nil {
		t.Fatalf("%d bytes: %v", req.DeviceMemory, err)
	}
	r := got.Report
	if r.Intervals == nil || r.Intervals.Count < 3 || needs.Intervals == nil ||
		needs.Intervals.Count != r.Intervals.Count || !strings.Contains(r.Why, "intervals") {
		t.Fatalf("%d bytes: %+v by %q; estimated %+v intervals", req.DeviceMemory, r.Intervals, r.Why, needs.Intervals)
	}
	if r.PeakDeviceBytes > needs.Device || needs.Device > req.DeviceMemory || r.PeakDeviceBytes == 0 {
		t.Errorf("peak %d, estimated %d, budget %d", r.PeakDeviceBytes, needs.Device, req.DeviceMemory)
	}
	turns, v := uint64(r.Iterations+1), r.Intervals
	if r.Bytes.Transfer != v.EdgeBytes || v.EdgeBytes > turns*needs.Transfer || v.StateBytes == 0 ||
		v.StateBytes > turns*needs.Intervals.State || v.CellBytes > needs.Transfer || v.Whole.Edges != v.CellBytes ||
		v.Whole.Cells > needs.Intervals.Cells || v.Whole.State > needs.Intervals.State {
		t.Errorf("%d bytes of edges are sent: %+v; estimated %+v", r.Bytes.Transfer, v, needs.Intervals)
	}
	most := r.Iterations * (v.Count - max(1, len(r.Devices)))
	if settles := settlesIntervals(got); v.Ahead > most || v.Ahead < most && req.Algorithm == "pagerank" ||
		v.Ahead > 0 && settles || v.Ahead == 0 && !settles && v.Sent > 2*r.Iterations*max(1, len(r.Devices)) {
		t.Errorf("%d times of %d sources were chosen while the device computed", v.Ahead, most)
	}
	return got
}

// Of the caller's account state in intervals takes less than the state of all vertices: it lies in a file.
func TestRun_IntervalsHoldLess(t *testing.T) {
	g := random(testseed.Rand(t), 20_000, 60_000, true, false, false)
	snap := g.stored(t, 32<<10)
	for _, count := range []int{1, 2} {
		req := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "2"}, Threads: 1}
		req.Device = devices(count)
		checkHoldsLess(t, snap, req)
	}
}

func checkHoldsLess(t *testing.T, snap *store.Snapshot, req Request) {
	t.Helper()
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	const results = 8 * 20_000
	account := memory.NewPool(results+memory.Allowance, time.Millisecond).Open()
	ctx := memory.With(t.Context(), account)
	var full *memory.FullError
	if _, err := Run(ctx, snap, req, Events{}); !errors.As(err, &full) || !full.Never || account.Held() != 0 {
		t.Errorf("with all state on the device: %v; %d bytes are held", err, account.Held())
	}
	req.DeviceMemory = needs.State / 2
	got, err := Run(ctx, snap, req, Events{})
	if err != nil || got.Report.Intervals == nil || account.Held() != results || got.Held != results {
		t.Errorf("%v; %d bytes are held: %+v", err, account.Held(), got)
	}
	account.Close()
}

// A stored chunk is cut once, however many iterations there are, and a cell is sent only if one of its sources is
// active: of a path that is three at most, as an interval borders on two others.
func TestRun_IntervalsCutOnceAndSkip(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	g := path(3000)
	snap := g.stored(t, 2048)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": "0"}, Threads: 1, Synchronous: true}
	needs, err := leastResident(snap, req)
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
	// What several chunks have of a cell comes together, as far as a slot of at least 16 KiB has room.
	if most := uint64(v.Sent) + 2*v.EdgeBytes/(16<<10); uint64(v.Pieces) > most {
		t.Errorf("%d pieces of %d cells with %d bytes; expected at most %d", v.Pieces, v.Sent, v.EdgeBytes, most)
	}
	if v.Sent > 3*got.Report.Iterations || v.Skipped == 0 {
		t.Errorf("%d cells are sent in %d iterations, %d skipped", v.Sent, got.Report.Iterations, v.Skipped)
	}
	if v.EdgeBytes > v.CellBytes*uint64(got.Report.Iterations)/2 {
		t.Errorf("%d bytes are sent in %d iterations, of cells with %d", v.EdgeBytes, got.Report.Iterations, v.CellBytes)
	}
}

// Of a graph with few edges a column has few cells, for they have those sources alone that have an edge there; what of
// a source goes to the device is what messages are made of. A piece is a message, with all commands of its cell.
func TestRun_IntervalsPackSources(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	const vertices, iterations = 40_000, 4
	expr := func(text string) algorithms.Expr { return algorithms.Expr{Source: text} }
	own := &algorithms.Program{Name: "own", Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: iterations,
		Exactly: true, Process: expr("src.x * 0.25"), State: []algorithms.State{
			{Name: "x", Type: algorithms.Float, Init: expr("1.0 / double(n)"), Apply: expr("0.5 * acc + self.y")},
			{Name: "y", Type: algorithms.Float, Init: expr("2.0"), Apply: expr("self.y * 0.5 + self.x")}}}
	for _, c := range []struct {
		program string
		own     *algorithms.Program
		source  uint64 // bytes of a source that a message is made of
		state   uint64 // bytes of a vertex: all of it, to the device, and what of it comes back
	}{{"pagerank", nil, 16, 24}, {"wcc", nil, 8, 16}, {"", own, 8, 32}} {
		g := random(testseed.Rand(t), vertices, vertices, true, false, false)
		snap := g.stored(t, 32<<10)
		req := Request{Algorithm: c.program, Program: c.own, Threads: 1, Synchronous: true}
		if c.program == "pagerank" {
			req.Params = map[string]string{"iterations": fmt.Sprint(iterations)}
		}
		needs, err := leastResident(snap, req)
		if err != nil {
			t.Fatal(err)
		}
		req.DeviceMemory = needs.State / 8
		got := checkIntervals(t, snap, req)
		v, turns := got.Report.Intervals, got.Report.Iterations+1
		lists := 1
		if c.program == "wcc" {
			lists = 2 // along both ways
		}
		edges := lists * len(g.edges)
		if most := turns * (2*v.Count + edges/int(v.Vertices)); v.Sent > most || v.Count < 8 {
			t.Errorf("%s: %d cells of %d intervals are sent; expected at most %d", c.program, v.Sent, v.Count, most)
		}
		sets := uint64(turns) * uint64(v.Count*v.Count) * v.Vertices / 8
		if most := uint64(turns)*(uint64(edges)*c.source+vertices*c.state) + sets; v.StateBytes > most {
			t.Errorf("%s: %d bytes of state are moved; expected at most %d", c.program, v.StateBytes, most)
		}
		if most := v.Pieces + turns*v.Count; v.Messages > most || v.Commands < 4*v.Pieces {
			t.Errorf("%s: %d commands in %d messages for %d pieces; expected at most %d", c.program, v.Commands, v.Messages,
				v.Pieces, most)
		}
	}
}

// What an iteration will take is foretold: by the plan, if edges lead anywhere, to a tenth, its cells to a fifth; after
// the cells have been cut to the byte, where all vertices are active.
func TestRun_IntervalsForetold(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	for _, undirected := range []bool{true, false} {
		snap := random(testseed.Rand(t), 50_000, 200_000, !undirected, false, false).stored(t, 64<<10)
		req := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "4"}, Threads: 1}
		needs, err := leastResident(snap, req)
		if err != nil {
			t.Fatal(err)
		}
		req.DeviceMemory = needs.State / 5
		if needs, err = Estimate(context.Background(), snap, req); err != nil {
			t.Fatal(err)
		}
		got := checkIntervals(t, snap, req)
		v, want := got.Report.Intervals, needs.Intervals.Expected
		near := func(what string, got, want uint64, by float64) {
			if math.Abs(float64(got)-float64(want)) > by*float64(want) {
				t.Errorf("undirected %v: %d %s in an iteration, %d were expected", undirected, got, what, want)
			}
		}
		near("cells", v.Whole.Cells, want.Cells, 0.2)
		near("bytes of state", v.Whole.State, want.State, 0.1)
		near("bytes of edges", v.Whole.Edges, want.Edges, 0.1)
		if uint64(v.Sent) != 4*v.Whole.Cells || v.EdgeBytes != 4*v.Whole.Edges {
			t.Errorf("%+v are sent in 4 iterations; foretold: %+v each", v, v.Whole)
		}
		for i, it := range got.Report.PerIteration {
			if it.PredictedBytes != it.Bytes.Transfer || it.PredictedBytes != v.Whole.Edges || i > 0 && it.Predicted <= 0 {
				t.Errorf("iteration %d: %d bytes and %v seconds are predicted, %d are sent", it.Number, it.PredictedBytes,
					it.Predicted, it.Bytes.Transfer)
			}
		}
	}
}

// Of an interval's sources those go to the device that are active: of a path that is one, whatever the interval has.
func TestRun_IntervalsSendActiveSources(t *testing.T) {
	t.Parallel()
	snap := path(3000).stored(t, 2048)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": "0"}, Threads: 1, Synchronous: true}
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.State - 1
	v := mustRun(t, snap, req).Report.Intervals
	// Destinations go with an input, and come back; sets of both; few sources.
	most := v.Vertices*(16+8) + v.Vertices/2 + 128
	if got := v.StateBytes / uint64(v.Sent); got > most {
		t.Errorf("%d bytes of state are moved for each of %d cells of %d vertices; expected at most %d", got, v.Sent, v.Vertices, most)
	}
}

// Schedules that keep all state on the device say which does not.
func TestRun_RefusalNamesNeugraph(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	snap := random(testseed.Rand(t), 12_000, 40_000, true, false, false).stored(t, 32<<10)
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

// Just above the least budget that the state fits, edges would come in a thousand small pieces each iteration, where
// all vertices send in each. The state is cut instead, up to the budget that is said to be the least without that.
func TestRun_StateIsCutBeforeEdgesCrumble(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	const vertices, edges, iterations = 20_000, 500_000, 3
	rng := testseed.Rand(t)
	g := random(rng, vertices, 0, true, false, false)
	for range edges {
		g.edges = append(g.edges, algorithms.Edge{Src: uint32(rng.IntN(vertices)), Dst: uint32(rng.IntN(vertices))})
	}
	snap := g.stored(t, 256<<10)
	req := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": strconv.Itoa(iterations)}, Threads: 1}
	want := mustRun(t, snap, req)
	all, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = all.Minimum
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil || needs.Intervals == nil || needs.Intervals.Whole <= req.DeviceMemory ||
		!strings.Contains(needs.Why, "no room for but more than 64 pieces") {
		t.Fatalf("%d bytes: %v, %+v", req.DeviceMemory, err, needs)
	}
	for _, c := range []struct {
		memory   uint64
		schedule string
		cut      bool
	}{{all.Minimum, "auto", true}, {needs.Intervals.Whole - 1, "auto", true}, {needs.Intervals.Whole, "auto", false},
		{all.Minimum, "subway", false}} {
		req.DeviceMemory, req.Schedule = c.memory, c.schedule
		got := mustRun(t, snap, req)
		if v := got.Report.Intervals; (v != nil) != c.cut || v != nil && v.Pieces > 64*iterations ||
			got.Report.PeakDeviceBytes > c.memory {
			t.Errorf("%d bytes by %s: a peak of %d, or %+v", c.memory, c.schedule, got.Report.PeakDeviceBytes, v)
		}
		checkClose(t, g, req, got, want)
	}
}

// What is too small for the least intervals is refused with a budget that does.
func TestRun_LeastIntervals(t *testing.T) {
	snap := random(testseed.Rand(t), 12_000, 40_000, true, false, false).stored(t, 32<<10)
	req := Request{Algorithm: "wcc", DeviceMemory: 1, Threads: 1}
	_, err := Run(context.Background(), snap, req, Events{})
	var over *BudgetError
	if !errors.As(err, &over) || over.AtLeast || !strings.Contains(err.Error(), "intervals") {
		t.Fatal(err)
	}
	req.DeviceMemory = over.Need
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil || needs.Intervals == nil || needs.Minimum != over.Need || needs.Intervals.Whole <= over.Need {
		t.Errorf("%d bytes: %v, %+v", over.Need, err, needs)
	}
	if req.DeviceMemory--; err == nil {
		_, err = Estimate(context.Background(), snap, req)
	}
	if !errors.As(err, &over) {
		t.Errorf("%d bytes do as well: %v", req.DeviceMemory, err)
	}
}

// What has no intervals says so before it runs.
func TestRun_NoIntervals(t *testing.T) {
	snap := random(testseed.Rand(t), 12_000, 40_000, false, false, false).stored(t, 32<<10)
	for what, req := range map[string]Request{
		"procedure": {Algorithm: "betweenness"},
	} {
		req.DeviceMemory = 100_000
		launched := false
		_, err := Run(context.Background(), snap, req, Events{Planned: func(Needs) { launched = true }})
		var over *BudgetError
		if !errors.As(err, &over) || !strings.Contains(err.Error(), what) || launched {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Any device that has the extension computes so, not the built-in one alone.
func TestRun_IntervalsOnAnyDevice(t *testing.T) {
	g := random(testseed.Rand(t), 12_000, 40_000, false, false, false)
	checkTooLarge(t, g, Request{Algorithm: "wcc", Device: os.Args[0]}, 2)
}

// A run with intervals that is canceled, or whose device dies, ends with that and leaves no process and no file.
func TestRun_IntervalsEnd(t *testing.T) {
	snap := random(testseed.Rand(t), 12_000, 40_000, true, false, false).stored(t, 32<<10)
	needs, err := Estimate(context.Background(), snap, Request{Algorithm: "pagerank", Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	req := endless("auto")
	req.DeviceMemory, req.Threads, req.Timeout = needs.State/2, 1, 2*time.Second
	for name, c := range map[string]struct {
		disturb func(cancel func(), pid int)
		ends    func(error) bool
	}{
		"canceled": {func(cancel func(), _ int) { cancel() }, func(err error) bool { return errors.Is(err, context.Canceled) }},
		"killed": {func(_ func(), pid int) { syscall.Kill(pid, syscall.SIGKILL) }, func(err error) bool {
			return plugins.KindOf(err) == plugins.KindDied && strings.Contains(err.Error(), "signal: killed")
		}},
		"stopped": {func(_ func(), pid int) { syscall.Kill(pid, syscall.SIGSTOP) },
			func(err error) bool { return plugins.KindOf(err) == plugins.KindHung }},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("TMPDIR", dir)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			err := disturbed(t, ctx, snap, req, func(pid int) { c.disturb(cancel, pid) })
			if !c.ends(err) {
				t.Errorf("error %v", err)
			}
			if left, err := filepath.Glob(filepath.Join(dir, "penstock-*")); err != nil || len(left) > 0 {
				t.Errorf("%v, %v are left", err, left)
			}
		})
	}
}

// A run that is to be resumed goes on from its checkpoint, with the sums of its aggregates, when its device is killed:
// to the same bits, once by itself, and by another Run when it is killed again.
func TestRun_IntervalsResume(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	g := random(rng, 20_000, 60_000, true, false, false)
	snap := g.stored(t, 32<<10)
	expr := func(text string) algorithms.Expr { return algorithms.Expr{Source: text} }
	totals := &algorithms.Program{Name: "totals", Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 9,
		Exactly: true, Aggregates: []algorithms.Aggregate{{Name: "all", Expr: expr("self.x")}},
		State: []algorithms.State{{Name: "x", Type: algorithms.Float, Init: expr("1.0 / double(n)"),
			Apply: expr("0.5 * acc + agg.all / double(n)")}},
		Process: expr("src.x * 0.25")}
	for name, req := range testseed.Sorted(map[string]Request{
		"pagerank": {Algorithm: "pagerank", Params: map[string]string{"iterations": "12"}},
		"wcc":      {Algorithm: "wcc", Synchronous: true}, // TestIntervals_SettlingResumes has it settle
		"totals":   {Program: totals},
	}) {
		t.Run(name, func(t *testing.T) {
			req.Threads = 1
			needs, err := leastResident(snap, req)
			if err != nil {
				t.Fatal(err)
			}
			req.DeviceMemory = needs.State / 2
			want := mustRun(t, snap, req)
			req = resumable(t, req)
			k := killer{kills: 3, after: 1 + rng.IntN(2)}
			if name != "wcc" {
				k.after += rng.IntN(2)
			}
			if _, err := Run(context.Background(), snap, req, k.events()); plugins.KindOf(err) != plugins.KindDied {
				t.Fatalf("error %v", err)
			}
			got, err := Run(context.Background(), snap, req, k.events())
			if err != nil {
				t.Fatal(err)
			}
			r := got.Report
			if k.launches != 4 || r.Intervals == nil || r.ResumedFrom < 3*(k.after-1) || r.ResumedFrom == 0 && k.after > 1 ||
				r.Iterations != want.Report.Iterations || !same(got.Columns, want.Columns) {
				t.Errorf("%d launches, killed after %d each, resumed after %d of %d, or another result (%s)", k.launches, k.after,
					r.ResumedFrom, want.Report.Iterations, r.Kernel)
			}
			if left := checkpoints(t, req.CheckpointDir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// A checkpoint whose checksum is another leaves nothing of itself in the state and the sums.
func TestRun_IntervalsDamagedCheckpoint(t *testing.T) {
	t.Parallel()
	snap := random(testseed.Rand(t), 12_000, 40_000, true, false, false).stored(t, 32<<10)
	req := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "6"}, Threads: 1}
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.State / 2
	want := mustRun(t, snap, req)
	req = resumable(t, req)
	k := killer{kills: 2, after: 2}
	if _, err := Run(context.Background(), snap, req, k.events()); plugins.KindOf(err) != plugins.KindDied {
		t.Fatalf("error %v", err)
	}
	file := checkpoints(t, req.CheckpointDir)[0]
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)-1]++
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var says string
	got, err := Run(context.Background(), snap, req, Events{Noticed: func(err error) { says += err.Error() }})
	if err != nil || !strings.Contains(says, "damaged") || got.Report.ResumedFrom > 0 || !same(got.Columns, want.Columns) {
		t.Errorf("error %v, notices %q, or another result", err, says)
	}
}

// A checkpoint serves a run with other intervals. One with sums is not used where the device has them; one without is,
// if the kernels are the same.
func TestRun_IntervalsResumeOtherwise(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	g := random(testseed.Rand(t), 12_000, 40_000, true, false, false)
	snap := g.stored(t, 32<<10)
	for _, c := range []struct {
		algorithm string
		part      uint64 // of what the state takes is the second budget; 0: there is none
		resumes   bool
	}{{"pagerank", 3, true}, {"pagerank", 0, false}, {"personalized-pagerank", 3, true}, {"widest-path", 0, true}} {
		t.Run(fmt.Sprint(c.algorithm, c.part), func(t *testing.T) {
			a, err := catalog.Lookup(c.algorithm)
			if err != nil {
				t.Fatal(err)
			}
			req := chainRequest(a, g)
			req.Threads = 1
			needs, err := leastResident(snap, req)
			if err != nil {
				t.Fatal(err)
			}
			req = resumable(t, req)
			want := mustRun(t, snap, req)
			req.DeviceMemory = needs.State / 2
			k := killer{kills: 2, after: 3}
			if _, err := Run(context.Background(), snap, req, k.events()); plugins.KindOf(err) != plugins.KindDied {
				t.Fatalf("error %v", err)
			}
			if req.DeviceMemory = 0; c.part > 0 {
				req.DeviceMemory = needs.State / c.part
			}
			got, err := Run(context.Background(), snap, req, k.events())
			if err != nil {
				t.Fatal(err)
			}
			r := got.Report
			if (r.ResumedFrom > 0) != c.resumes || (len(k.notices) == 1) != c.resumes {
				t.Errorf("resumed after %d (%s), notices %v", r.ResumedFrom, r.Kernel, k.notices)
			}
			sums := r.Intervals != nil && strings.Contains(r.Kernel, " sum") // which add up cell by cell
			if !same(got.Columns, want.Columns) && (!sums || !near(got.Columns, want.Columns)) {
				t.Errorf("another result than with all state on the device (%s)", r.Kernel)
			}
		})
	}
}

// A device that is kept computes with intervals and without, in turn, as a new one does.
func TestEngine_Intervals(t *testing.T) {
	t.Parallel()
	snap := random(testseed.Rand(t), 12_000, 40_000, true, false, false).stored(t, 32<<10)
	e := engine(t)
	for _, algorithm := range long.Draw(t, []string{"pagerank", "wcc"}, 1) {
		needs, err := Estimate(context.Background(), snap, Request{Algorithm: algorithm, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, memory := range []uint64{0, needs.State / 2, 0, needs.State * 2 / 3, needs.Minimum} {
			req := Request{Algorithm: algorithm, DeviceMemory: memory, Threads: 1}
			got, _ := runOn(t, e, snap, req)
			want := mustRun(t, snap, req)
			if cut := memory > 0 && memory < needs.Minimum; cut != (got.Report.Intervals != nil) ||
				!same(got.Columns, want.Columns) {
				t.Errorf("%s, %d bytes: another result than on a new device, or %+v", algorithm, memory, got.Report.Intervals)
			}
			if memory > 0 && got.Report.PeakDeviceBytes > memory {
				t.Errorf("%s: peak %d of %d", algorithm, got.Report.PeakDeviceBytes, memory)
			}
		}
	}
}
