package host

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// iteratesVariable makes this test program, as a plugin, a device that has nothing but iterations.
var iteratesVariable = ownVariable("ITERATES")

// beIterating serves when this program has been started as such a plugin.
func beIterating() {
	if os.Getenv(iteratesVariable) != "" {
		serve(iterating{cpu.New(cpu.Options{})})
	}
}

// iterating is the CPU device, whose solvers do not keep their state in the columns of a session that is to be resumed.
type iterating struct{ plugins.Device }

func (d iterating) Describe(ctx context.Context) (plugins.Description, error) {
	about, err := d.Device.Describe(ctx)
	about.Extensions = slices.DeleteFunc(slices.Clone(about.Extensions), func(e plugins.Extension) bool {
		return e == plugins.ExtensionCycles
	})
	return about, err
}

func (d iterating) Open(ctx context.Context, job plugins.Job) (plugins.Session, error) {
	s, err := d.Device.Open(ctx, job)
	return iteratingSession{s}, err
}

type iteratingSession struct{ plugins.Session }

func (s iteratingSession) Compile(ctx context.Context, task plugins.Task) (plugins.Plan, error) {
	task.Restorable = true
	return s.Session.Compile(ctx, task)
}

// cyclic are programs whose values some edges make better, by their weights, so that a cycle may do so for ever.
var cyclic = map[string]struct {
	times bool
	sign  float64 // with which less is better
	says  string
}{
	"sssp":            {false, 1, "a cycle of negative weight"},
	"max-cost":        {false, -1, "a cycle of positive cost"},
	"max-reliability": {true, -1, "a cycle whose weights multiply to more than 1"},
	"min-reliability": {true, 1, "a cycle whose weights multiply to less than 1"},
}

// weigh weighs an edge between vertices at such heights, so that a cycle gains so much: it goes up as it goes down. The
// weights of all cycles come to numbers without rounding.
func weigh(times bool, sign float64, gain, up int) float64 {
	if times {
		return math.Exp2(float64(up) - sign*float64(gain))
	}
	return float64(up) - sign*float64(gain)
}

// unequipped is a way in which all edges are on one device, which has no room for engines beside them.
const unequipped = "one device, without room for engines"

// whereEdgesAre are ways in which no device has all edges and can look for cycles by itself.
func whereEdgesAre() map[string]Request {
	return map[string]Request{
		"several devices":   {Device: "cpu,cpu"},
		"streamed":          {Schedule: "whole"},
		"a core and a rest": {Device: "cpu+cpu", Core: "degree:40%"},
		"a device that has nothing but iterations": {Device: os.Args[0]},
		"several, streamed":                        {Device: "cpu,cpu,cpu", Schedule: "whole"},
	}
}

// A cycle around which values get better for ever, and which is reached, is named before the first iteration, wherever
// the edges are; edges that gain and no cycle that does are not in the way.
func TestRun_GainingCyclesAreFoundBeforehand(t *testing.T) {
	t.Setenv(iteratesVariable, "1")
	rng := testseed.Rand(t)
	ways := whereEdgesAre()
	var found, none int
	for turn := range long.Raced(t, slices.Repeat([]int{0}, 8), 2) {
		for name, of := range testseed.Sorted(cyclic) {
			n := 20 + rng.IntN(150)
			g := random(rng, n, n+rng.IntN(2*n), true, false, false)
			heights := make([]int, n)
			for v := range heights {
				heights[v] = rng.IntN(7)
			}
			gains := rng.IntN(n / 2) // edges, of which some may be in no cycle, or not reached
			for i, e := range g.edges {
				gain := -rng.IntN(2)
				if i < gains && rng.IntN(3) > 0 {
					gain = rng.IntN(2)
				}
				e.Weights["weight"] = weigh(of.times, of.sign, gain, heights[e.Dst]-heights[e.Src])
			}
			snap := g.stored(t, 1<<10+rng.IntN(2<<10))
			req := Request{Algorithm: name, Params: map[string]string{"source": g.users[rng.IntN(n)]}, Threads: 1}
			if delete(ways, unequipped); turn == 0 { // to find out how much that is takes some estimates
				needs, err := leastResident(snap, req)
				if err != nil {
					t.Fatal(err)
				}
				ways[unequipped] = Request{DeviceMemory: needs.Resident}
			}
			want, wantErr := Run(context.Background(), snap, req, Events{})
			if wantErr == nil {
				none++
			} else {
				found++
			}
			for way, with := range testseed.Sorted(ways) {
				with.Algorithm, with.Params, with.Threads = req.Algorithm, req.Params, 1
				got, err := Run(context.Background(), snap, with, Events{})
				switch {
				case wantErr != nil:
					mustGain(t, g, of.times, of.sign, err)
				case err != nil:
					t.Errorf("%s, %s: %v, on one device nothing", name, way, err)
				case !same(got.Columns, want.Columns):
					t.Errorf("%s, %s: another result than on one device", name, way)
				}
			}
		}
	}
	if found == 0 || none == 0 {
		t.Errorf("%d runs with a cycle that gains and %d without prove little", found, none)
	}
}

// Where every edge counts the same, as without weights, a cycle is found as well, and where there is none one pass in
// topological order comes to the result.
func TestRun_EdgesThatCountTheSameGain(t *testing.T) {
	t.Setenv(iteratesVariable, "1")
	rng := testseed.Rand(t)
	ways := whereEdgesAre()
	ways["one device"] = Request{}
	for turn := range 4 {
		n := 20 + rng.IntN(150)
		cyclic := turn%2 == 1
		g := random(rng, n, n/2+rng.IntN(2*n), true, false, !cyclic)
		for v := range uint32(n / 2) { // so that iterations are many
			g.edges = append(g.edges, algorithms.Edge{Src: v, Dst: v + 1})
		}
		if cyclic {
			g.edges = append(g.edges, algorithms.Edge{Src: uint32(n / 2)})
		}
		snap := g.stored(t, 1<<10+rng.IntN(2<<10))
		for i := range g.edges { // by which a cycle is judged: runs take none
			g.edges[i].Weights = map[string]float64{"weight": 1}
		}
		for way, with := range testseed.Sorted(ways) {
			with.Algorithm, with.Params, with.Threads = "max-cost", map[string]string{"source": g.users[0], "weight": ""}, 1
			got, err := Run(context.Background(), snap, with, Events{})
			switch {
			case cyclic:
				if diverged, is := errors.AsType[*algorithms.DivergedError](err); is && way == "one device" {
					diverged.Iterations-- // its pass is one
				}
				mustGain(t, g, false, -1, err)
			case err != nil:
				t.Errorf("%s: %v", way, err)
			case way == "one device" && got.Report.Iterations != 1:
				t.Errorf("%d iterations; expected 1, in topological order", got.Report.Iterations)
			}
		}
	}
}

// mustGain checks an error: a cycle whose edges there are, that gains, found before any iteration.
func mustGain(t *testing.T, g *sample, times bool, sign float64, err error) {
	t.Helper()
	var diverged *algorithms.DivergedError
	if !errors.As(err, &diverged) || diverged.Iterations > 0 || len(diverged.Cycle) == 0 {
		t.Errorf("%v: no cycle, or not found beforehand", err)
		return
	}
	total := 0.0
	for i, user := range diverged.Cycle {
		v, next := slices.Index(g.users, user), slices.Index(g.users, diverged.Cycle[(i+1)%len(diverged.Cycle)])
		best := math.Inf(1)
		for _, e := range g.edges {
			w := e.Weights["weight"]
			if times {
				w = math.Log2(w)
			}
			if int(e.Src) == v && int(e.Dst) == next || !g.directed && int(e.Src) == next && int(e.Dst) == v {
				best = min(best, sign*w)
			}
		}
		total += best
	}
	if !(total < 0) || math.IsInf(total, 0) {
		t.Errorf("%v: the cycle does not gain, but %g", err, -total)
	}
}

// A product that comes to 0 by rounding does not pass for settled, nor does a cycle of which one edge gains, whichever
// way edges go and whatever the source does not reach; also where state is cut into intervals.
func TestRun_VanishingProductsDoNotSettle(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	const n = 4000
	for _, reached := range []bool{true, false} {
		g := random(rng, n, 0, true, true, false)
		edge := func(u, v int, weight float64) {
			g.edges = append(g.edges, algorithms.Edge{Src: uint32(u), Dst: uint32(v),
				Weights: map[string]float64{"weight": weight, "toll": 1}})
		}
		for v := range n - 1 {
			edge(v, v+1, 0.1)
		}
		for v := 0; v+7 < n; v += 3 {
			edge(v, v+7, 1)
		}
		edge(1, 1, 0.05)
		req := Request{Algorithm: "min-reliability", Params: map[string]string{"source": g.users[3]}, Threads: 1}
		if reached {
			req.Params["source"] = g.users[0]
		}
		snap := g.stored(t, 32<<10)
		needs, err := leastResident(snap, req)
		if err != nil {
			t.Fatal(err)
		}
		ways := []Request{{Device: "cpu,cpu"}, {Schedule: "whole"}, {DeviceMemory: needs.State / 2}}
		for _, with := range long.Raced(t, ways, 1) {
			with.Algorithm, with.Params, with.Threads = req.Algorithm, req.Params, 1
			if with.DeviceMemory > 0 && !reached {
				continue // as many iterations as there are vertices
			}
			got, err := Run(context.Background(), snap, with, Events{})
			if reached {
				mustGain(t, g, true, 1, err)
				continue
			}
			want := mustRun(t, snap, req)
			if err != nil || !same(got.Columns, want.Columns) {
				t.Errorf("%+v: %v, or another result than on one device", with, err)
			}
		}
	}
}

// Where it cannot be told beforehand whether a cycle gains, as that may be rounding, the run's user is told, and
// iterations show it.
func TestRun_DoubtfulCyclesAreToldOf(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	g := random(rng, 40, 0, true, false, false)
	for v := range 40 {
		g.edges = append(g.edges, algorithms.Edge{Src: uint32(v), Dst: uint32((v + 1) % 40),
			Weights: map[string]float64{"weight": map[int]float64{0: -39 * (1 + 1e-13)}[v] + map[bool]float64{true: 1}[v > 0]}})
	}
	snap := g.stored(t, 1<<10)
	req := Request{Algorithm: "sssp", Params: map[string]string{"source": g.users[0]}, Schedule: "whole", Threads: 1}
	var told []string
	_, err := Run(context.Background(), snap, req, Events{Noticed: func(err error) { told = append(told, err.Error()) }})
	var diverged *algorithms.DivergedError
	if !errors.As(err, &diverged) || diverged.Iterations < 40 ||
		!slices.ContainsFunc(told, func(s string) bool { return strings.Contains(s, "may be rounding") }) {
		t.Errorf("%v; told of %q", err, told)
	}
}

// So is a cycle around which numbers of paths grow, where the source reaches it; one that it does not reach is not in
// the way.
func TestRun_CyclesOfSumsAreFoundBeforehand(t *testing.T) {
	t.Setenv(iteratesVariable, "1")
	rng := testseed.Rand(t)
	ways := whereEdgesAre()
	for turn := range long.Raced(t, []int{0, 1, 2, 3}, 2) {
		const n = 3000
		g := random(rng, n, n+rng.IntN(n), true, false, true) // edges lead up
		from, to, cyclic := 2+rng.IntN(20), 30+rng.IntN(n-30), turn%2 == 0
		back(g, from, to, 1)
		back(g, 0, 1, 1) // a cycle that is not reached
		back(g, 1, 0, 1)
		if cyclic {
			back(g, to, from, 1)
		}
		snap := g.stored(t, 8<<10+rng.IntN(8<<10))
		req := Request{Algorithm: "num-paths", Params: map[string]string{"source": g.users[from]}, Threads: 1}
		needs, err := leastResident(snap, req)
		if err != nil {
			t.Fatal(err)
		}
		ways[unequipped] = Request{DeviceMemory: needs.Resident}
		ways["intervals"] = Request{DeviceMemory: needs.State / 2}
		ways["intervals on several devices"] = Request{Device: "cpu,cpu", DeviceMemory: needs.State / 2}
		want, wantErr := Run(context.Background(), snap, req, Events{})
		if (wantErr != nil) != cyclic {
			t.Fatalf("cyclic %t: %v", cyclic, wantErr)
		}
		for way, with := range testseed.Sorted(ways) {
			with.Algorithm, with.Params, with.Threads = req.Algorithm, req.Params, 1
			got, err := Run(context.Background(), snap, with, Events{})
			switch {
			case cyclic:
				mustComeRound(t, g, err)
			case err != nil:
				t.Errorf("%s: %v, on one device nothing", way, err)
			case !same(got.Columns, want.Columns):
				t.Errorf("%s: another result than on one device", way)
			}
		}
	}
}

// mustComeRound checks an error: a cycle whose edges there are, found before any iteration.
func mustComeRound(t *testing.T, g *sample, err error) {
	t.Helper()
	var diverged *algorithms.DivergedError
	if !errors.As(err, &diverged) || diverged.Iterations > 0 || len(diverged.Cycle) == 0 {
		t.Errorf("%v: no cycle, or not found beforehand", err)
		return
	}
	for i, user := range diverged.Cycle {
		v, next := slices.Index(g.users, user), slices.Index(g.users, diverged.Cycle[(i+1)%len(diverged.Cycle)])
		if !slices.ContainsFunc(g.edges, func(e algorithms.Edge) bool { return int(e.Src) == v && int(e.Dst) == next }) {
			t.Errorf("%v: there is no edge from %s", err, user)
		}
	}
}
