package host

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// eachProgram tests every vertex program of the catalog, side by side.
func eachProgram(t *testing.T, test func(t *testing.T, rng *rand.Rand, a *algorithms.Algorithm)) {
	testPrograms(t, programs(), test)
}

// somePrograms is eachProgram for tests that take long: of few programs, unless tests are long.
func somePrograms(t *testing.T, few int, test func(t *testing.T, rng *rand.Rand, a *algorithms.Algorithm)) {
	t.Helper()
	testPrograms(t, long.Draw(t, programs(), few), test)
}

func programs() []*algorithms.Algorithm {
	procedure := func(a *algorithms.Algorithm) bool { return a.Procedure != nil }
	return slices.DeleteFunc(slices.Clone(catalog.All()), procedure)
}

func testPrograms(t *testing.T, programs []*algorithms.Algorithm,
	test func(t *testing.T, rng *rand.Rand, a *algorithms.Algorithm)) {
	for _, a := range programs {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			test(t, testseed.Rand(t), a)
		})
	}
}

func mustRun(t *testing.T, snap *store.Snapshot, req Request) *Result {
	t.Helper()
	result, err := Run(context.Background(), snap, req, Events{})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// same compares results bit by bit.
func same(a, b []algorithms.Values) bool {
	return slices.EqualFunc(a, b, func(a, b algorithms.Values) bool {
		return a.Column == b.Column && slices.Equal(a.Ints, b.Ints) && slices.Equal(a.Bools, b.Bools) &&
			slices.EqualFunc(a.Floats, b.Floats, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
	})
}

// sampleFor draws a graph and parameters that suit an algorithm.
func sampleFor(rng *rand.Rand, a *algorithms.Algorithm) (*sample, map[string]string) {
	g := random(rng, 20+rng.IntN(80), 50+rng.IntN(400), a.Acyclic || rng.IntN(2) == 0, rng.IntN(2) == 0, a.Acyclic)
	params := map[string]string{}
	for _, p := range a.Params {
		if given := g.argument(rng, p); given != "" {
			params[p.Name] = given
		}
	}
	oracletest.Together(rng, a, len(g.users), params)
	return g, params
}

// Every algorithm gives a right answer, through the store and another process, the same
// to the bit with all chunks on the device and with the least memory that will do, and
// takes no more than was estimated.
func TestRun_EveryAlgorithmWithinItsEstimate(t *testing.T) {
	for _, a := range long.Draw(t, catalog.All(), 16) {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			rng := testseed.Rand(t)
			g, params := sampleFor(rng, a)
			snap := g.stored(t, 512+rng.IntN(4096))
			req := Request{Algorithm: a.Name, Params: params, Threads: 1 + rng.IntN(3), DeviceMemory: 64 << 20}
			resident, needs := checkRun(t, g, a, snap, req)
			if resident.Report.Schedule != "resident" {
				t.Errorf("schedule %s with %d bytes", resident.Report.Schedule, req.DeviceMemory)
			}
			req.DeviceMemory = needs.Minimum + rng.Uint64N(needs.Resident-needs.Minimum+1)
			req.Synchronous = a.Approximate // else sums are passed on as they come
			again, _ := checkRun(t, g, a, snap, req)
			if a.Name != "betweenness" && !same(again.Columns, resident.Columns) { // it adds up in another order in passes
				t.Errorf("another result with %d bytes", req.DeviceMemory)
			}
		})
	}
}

// checkRun runs and checks the result and what the run took.
func checkRun(t *testing.T, g *sample, a *algorithms.Algorithm, snap *store.Snapshot, req Request) (result *Result,
	needs Needs) {
	t.Helper()
	result, err := Run(context.Background(), snap, req, Events{Planned: func(n Needs) { needs = n }})
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	args, err := a.Bind(req.Params, g.env())
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Verify(g.inMemory(), args, result.Columns); err != nil {
		t.Errorf("%+v: %v", req, err)
	}
	r := result.Report
	if r.PeakDeviceBytes > needs.Device || needs.Device > req.DeviceMemory || r.PeakDeviceBytes == 0 {
		t.Errorf("peak %d, estimated %d, budget %d", r.PeakDeviceBytes, needs.Device, req.DeviceMemory)
	}
	if r.ArenaBytes != needs.Host || r.Schedule != needs.Schedule || r.EdgesProcessed > 0 && r.Bytes.Storage == 0 {
		t.Errorf("arena %d of %d, schedule %s of %s, %d bytes read", r.ArenaBytes, needs.Host, r.Schedule, needs.Schedule,
			r.Bytes.Storage)
	}
	return result, needs
}

func TestRun_UsersProgramAgreesWithInterpreter(t *testing.T) {
	rng := testseed.Rand(t)
	for range 3 {
		g := random(rng, 1+rng.IntN(60), 1+rng.IntN(200), rng.IntN(2) == 0, false, false) // without edges there is no toll
		p := &algorithms.Program{
			Name: "tolls", Reduce: algorithms.Min, Edges: algorithms.Edges(rng.IntN(3)), Order: algorithms.Monotone,
			State: []algorithms.State{{Name: "cost", Type: algorithms.Float,
				Init: algorithms.Expr{Source: "double(id) / 8.0"}}},
			Process: algorithms.Expr{Source: "src.cost + edge.toll * edge.weight"},
		}
		before := *p
		want, iterations, err := algorithms.RunProgram(g.inMemory(), p)
		if err != nil {
			t.Fatal(err)
		}
		snap := g.stored(t, 512+rng.IntN(2048))
		for _, schedule := range Schedules {
			got := mustRun(t, snap, Request{Program: p, Schedule: schedule})
			if !same(got.Columns, want) || got.Report.Iterations != iterations || !got.Report.Converged {
				t.Errorf("%s: %+v\nwant %+v\nreport %+v", schedule, got.Columns, want, got.Report)
			}
		}
		if !reflect.DeepEqual(before, *p) {
			t.Error("the caller's program was changed")
		}
	}
}

func TestRun_SameBitsTwice(t *testing.T) {
	rng := testseed.Rand(t)
	snap := random(rng, 300, 3000, true, false, false).stored(t, 2048)
	for _, schedule := range Schedules {
		req := Request{Algorithm: "pagerank", Threads: 2, Schedule: schedule}
		if !same(mustRun(t, snap, req).Columns, mustRun(t, snap, req).Columns) {
			t.Errorf("schedule %s: two runs differ", schedule)
		}
	}
}

func TestRun_EmptyAndEdgelessGraphs(t *testing.T) {
	for _, users := range [][]string{nil, {"a"}, {"5", "6", "7"}} {
		snap := (&sample{directed: true, users: users}).stored(t, 0)
		for _, schedule := range Schedules {
			result := mustRun(t, snap, Request{Algorithm: "pagerank", Schedule: schedule})
			if got := len(result.Columns[0].Floats); got != len(users) {
				t.Errorf("%d values for %d vertices", got, len(users))
			}
		}
	}
}

func TestRun_TranslatesVertexColumns(t *testing.T) {
	g := &sample{users: []string{"b", "a", "7", "c"}, edges: []algorithms.Edge{
		{Src: 1, Dst: 2, Weights: map[string]float64{"weight": 1, "toll": 1}},
		{Src: 0, Dst: 3, Weights: map[string]float64{"weight": 1, "toll": 1}}}}
	snap := g.stored(t, 0)
	result := mustRun(t, snap, Request{Algorithm: "wcc"})
	got, err := result.UserColumn(context.Background(), snap, result.Columns[0].Name)
	if err != nil || !slices.Equal(got, []string{"b", "a", "a", "b"}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := result.UserColumn(context.Background(), snap, "rank"); err == nil {
		t.Error("no error for a column that is not there")
	}
}

func TestRun_TellsEvents(t *testing.T) {
	snap := random(testseed.Rand(t), 200, 2000, true, false, false).stored(t, 2048)
	for _, schedule := range Schedules {
		var order []string
		var iterations []IterationReport
		var uploaded, total uint64
		told := func(what string) {
			if n := len(order); n == 0 || order[n-1] != what {
				order = append(order, what)
			}
		}
		var log bytes.Buffer
		result, err := Run(context.Background(), snap, Request{Algorithm: "pagerank", Schedule: schedule, Log: &log}, Events{
			Launched: func(l Launch) {
				told("launched")
				if l.PID == 0 || l.Device.Name != "cpu" || l.Protocol != handshake.ProtocolMax {
					t.Errorf("%+v", l)
				}
			},
			Planned:  func(Needs) { told("planned") },
			Uploaded: func(done, all uint64) { told("uploaded"); uploaded, total = done, all },
			Iterated: func(i IterationReport) { told("iterated"); iterations = append(iterations, i) },
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"launched", "planned", "uploaded", "iterated"}
		if schedule == "whole" {
			want = []string{"launched", "planned", "iterated"}
		}
		if !slices.Equal(order, want) || uploaded != total {
			t.Errorf("%s: told %v; %d of %d bytes", schedule, order, uploaded, total)
		}
		checkIterations(t, result.Report, iterations)
	}
}

// checkIterations: all are told of, in order, and their costs add up to the run's.
func checkIterations(t *testing.T, r Report, told []IterationReport) {
	t.Helper()
	if len(told) != r.Iterations+1 || !slices.Equal(told[1:], r.PerIteration) {
		t.Fatalf("told of %d iterations; the report has %d of %d", len(told), len(r.PerIteration), r.Iterations)
	}
	var edges uint64
	for i, it := range told {
		if it.Number != i {
			t.Errorf("iteration %d is told as %d", i, it.Number)
		}
		edges += it.Edges
	}
	if edges != r.EdgesProcessed {
		t.Errorf("iterations processed %d edges, the run %d", edges, r.EdgesProcessed)
	}
}

func TestRun_RefusesWhatIsWrongWithTheRequest(t *testing.T) {
	snap := random(testseed.Rand(t), 20, 60, true, false, false).stored(t, 0)
	program := &algorithms.Program{Name: "mine", State: []algorithms.State{{Name: "x",
		Init: algorithms.Expr{Source: "1"}}},
		Process: algorithms.Expr{Source: "src.x"}}
	for name, c := range map[string]struct {
		req Request
		as  any
	}{
		"no algorithm":      {Request{}, new(*RequestError)},
		"two algorithms":    {Request{Algorithm: "bfs", Program: program}, new(*RequestError)},
		"negative threads":  {Request{Algorithm: "wcc", Threads: -1}, new(*RequestError)},
		"too many threads":  {Request{Algorithm: "wcc", Threads: MaxThreads + 1}, new(*RequestError)},
		"negative timeout":  {Request{Algorithm: "wcc", Timeout: -1}, new(*RequestError)},
		"unknown algorithm": {Request{Algorithm: "pagerang"}, new(*algorithms.UnknownAlgorithmError)},
		"unknown parameter": {Request{Algorithm: "pagerank", Params: map[string]string{"dumping": "1"}},
			new(*algorithms.ParamError)},
		"unknown vertex": {Request{Algorithm: "bfs", Params: map[string]string{"source": "nobody"}},
			new(*store.UnknownVertexError)},
		"type error":       {Request{Program: program}, new(*algorithms.ExprError)},
		"unknown schedule": {Request{Algorithm: "wcc", Schedule: "hole"}, new(*schedule.ParseError)},
		"wrong schedule":   {Request{Algorithm: "lcc", Schedule: "whole"}, new(*ScheduleError)},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Run(context.Background(), snap, c.req, Events{}); !errors.As(err, c.as) {
				t.Errorf("error %v, want a %T", err, c.as)
			}
			if _, err := Estimate(context.Background(), snap, c.req); !errors.As(err, c.as) {
				t.Errorf("estimate: error %v, want a %T", err, c.as)
			}
		})
	}
}

// Values that overflow stop changing, and that is no convergence.
func TestRun_OverflowIsDivergence(t *testing.T) {
	ring := &sample{directed: true}
	for v := range 300 {
		ring.users = append(ring.users, strconv.Itoa(v))
		for range 64 {
			ring.edges = append(ring.edges, algorithms.Edge{Src: uint32(v), Dst: uint32((v + 1) % 300),
				Weights: map[string]float64{"weight": 2, "toll": 9}})
		}
	}
	snap := ring.stored(t, 0)
	for algorithm, params := range map[string]map[string]string{
		"num-paths": {"source": "0"}, "max-reliability": {"source": "0", "weight": "toll"}} {
		for _, schedule := range Schedules {
			var diverged *algorithms.DivergedError
			if _, err := Run(context.Background(), snap, Request{Algorithm: algorithm, Params: params, Schedule: schedule},
				Events{}); !errors.As(err, &diverged) {
				t.Errorf("%s, %s: error %v", algorithm, schedule, err)
			}
		}
	}
}

// What a procedure takes no cycles for names one, by the users' ids, the same in every order of storage.
func TestRun_ACycleOfAProcedureIsNamed(t *testing.T) {
	weights := map[string]float64{"weight": 1}
	g := &sample{directed: true, users: []string{"a", "b", "c", "d", "e"}}
	for _, ends := range [][2]uint32{{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}} {
		g.edges = append(g.edges, algorithms.Edge{Src: ends[0], Dst: ends[1], Weights: weights})
	}
	for _, g.order = range []store.Order{store.OrderNone, store.OrderDegree, store.OrderBFS} {
		snap := g.stored(t, 0)
		for _, name := range []string{"topological-sort", "longest-path"} {
			_, err := Run(context.Background(), snap, Request{Algorithm: name}, Events{})
			want := ": " + name + " has no result: a cycle is in the way, as both ways along an edge of an undirected graph, " +
				"so vertices have no topological order; one such cycle is c → d → b → c"
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("in order %s: %v; expected %s", g.order, err, want)
			}
		}
	}
}

func TestRun_DivergedIsAnError(t *testing.T) {
	ring := &sample{directed: true, users: []string{"0", "1"}, edges: []algorithms.Edge{
		{Src: 0, Dst: 1, Weights: map[string]float64{"weight": 1}},
		{Src: 1, Dst: 0, Weights: map[string]float64{"weight": 1}}}}
	snap := ring.stored(t, 0)
	for _, schedule := range Schedules {
		req := Request{Algorithm: "max-cost", Params: map[string]string{"source": "0"}, Schedule: schedule}
		var diverged *algorithms.DivergedError
		if _, err := Run(context.Background(), snap, req, Events{}); !errors.As(err, &diverged) {
			t.Errorf("%s: error %v", schedule, err)
		}
	}
}
