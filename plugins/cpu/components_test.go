package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// labels are programs of the shape that components takes.
func labels() map[string]*algorithms.Program {
	program := func(t algorithms.Type, reduce algorithms.Reduce, init string) *algorithms.Program {
		return &algorithms.Program{Process: algorithms.Expr{Source: "src.tag"}, Reduce: reduce, Order: algorithms.Monotone,
			Edges: algorithms.BothSides,
			State: []algorithms.State{{Name: "tag", Type: t, Init: algorithms.Expr{Source: init}}}}
	}
	return map[string]*algorithms.Program{
		"least id":         program(algorithms.Int, algorithms.Min, "id"),
		"greatest id":      program(algorithms.Int, algorithms.Max, "id"),
		"least of a few":   program(algorithms.Int, algorithms.Min, "id % 30 == 1 ? id : unreached"),
		"one or none":      program(algorithms.Int, algorithms.Min, "id == 1 ? 1 : unreached"),
		"none":             program(algorithms.Int, algorithms.Min, "unreached"),
		"greatest share":   program(algorithms.Float, algorithms.Max, "double(id * 7919 % 1009) / 7.0"),
		"both zeros":       program(algorithms.Float, algorithms.Min, "id % 2 == 0 ? 0.0 : -0.0"),
		"NaN wins":         program(algorithms.Float, algorithms.Min, "id % 50 == 1 ? inf - inf : double(id)"),
		"a degree":         program(algorithms.Int, algorithms.Max, "out_degree + in_degree"),
		"infinite or less": program(algorithms.Float, algorithms.Max, "id % 40 == 1 ? double(id) : -inf"),
	}
}

// Whatever the chunks and the threads, components leaves the bits that steps leave, which
// are the interpreter's values, and no vertex active.
func TestComponents_AgreeWithStepsAndTheInterpreter(t *testing.T) {
	random := testseed.Rand(t)
	for round := range 2 {
		n := 1 + random.IntN(5000)
		g := randomGraph(random, n, random.IntN(2*n), random.IntN(2) == 0)
		for name, p := range testseed.Sorted(labels()) {
			if random.IntN(2) == 0 {
				p.Order = algorithms.Synchronous // the expressions say enough
			}
			t.Run(fmt.Sprintf("%s, graph %d", name, round), func(t *testing.T) {
				compareSolver(t, g, p, "components by sampled union", random)
			})
		}
	}
}

// A chunk that names its vertices may name none of a block, the last one that it reaches into.
func TestComponents_BlockWithoutEdges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 5))
	ids, edges := make([]int64, 4500), make([]algorithms.Edge, 3000)
	for v := range ids {
		ids[v] = int64(v)
	}
	for i := range edges {
		edges[i] = algorithms.Edge{Src: uint32(random.IntN(4000)), Dst: uint32(random.IntN(4000)),
			Weights: map[string]float64{}}
	}
	compareSolver(t, algorithms.NewGraph(false, ids, edges), labels()["least id"], "components by sampled union", random)
}

// Where it may ask for some lists alone, components finds what it finds from all of them, in a
// graph in one piece or in many, and has been sent fewer, unless the graph is small.
func TestComponents_AskForFewLists(t *testing.T) {
	seed := testseed.New(t)
	random := rand.New(rand.NewPCG(seed, 4))
	for _, shape := range []struct{ n, edges int }{{900, 3000}, {4000, 60_000}, {4000, 3000}} {
		g := randomGraph(random, shape.n, shape.edges, random.IntN(2) == 0)
		for name, p := range labels() {
			t.Run(fmt.Sprintf("%s, %+v", name, shape), func(t *testing.T) {
				want, _ := newRig(t, g, 4<<20).result(p, true)
				asked := askedFor(t, g, p, plugins.Task{ActiveRows: true}, (*rig).streamed, want)
				settled := func(r *rig) (int, error) { return 0, r.settled(3, []uint32{0}, once()) }
				askedFor(t, g, p, plugins.Task{Settle: true}, settled, want)
				askedFor(t, g, p, plugins.Task{Settle: true, Nearest: true}, settled, want)
				if all := uint64(g.Out.Offsets[g.N()]); shape.edges > 10*shape.n && asked > all {
					t.Errorf("%d edges of the lists asked for; there are %d", asked, all)
				}
			})
		}
	}
}

// askedFor is how many edges a run of p looked at, which leaves the bits that are wanted.
func askedFor(t *testing.T, g *algorithms.Graph, p *algorithms.Program, task plugins.Task, run func(*rig) (int, error),
	want []algorithms.Values) (edges uint64) {
	t.Helper()
	r := newRig(t, g, 4<<20)
	r.stripes, r.columns = 3, 2
	err := r.compileAs(p, task)
	if err == nil {
		_, err = run(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	identical(t, r.states(p), want)
	for _, e := range r.events {
		edges += e.Edges
	}
	return edges
}

// compareSolver compares a solver, on a few numbers of threads and cuts of the graph, with
// steps, bit by bit, and those with the interpreter.
func compareSolver(t *testing.T, g *algorithms.Graph, p *algorithms.Program, kernel string, random *rand.Rand) {
	t.Helper()
	steps := newRig(t, g, 4<<20)
	want, _ := steps.result(p, true)
	interpreted, _, err := algorithms.RunProgram(g, p)
	if err != nil {
		t.Fatal(err)
	}
	near(t, steps.plan.Kernel, want[0], interpreted[0])
	for threads := 1; threads <= 4; threads++ {
		r := newRig(t, g, 4<<20)
		r.threads, r.stripes, r.columns = threads, 1+random.IntN(5), 1+random.IntN(3)
		got, _ := r.result(p, false)
		if !strings.HasPrefix(r.plan.Kernel, kernel) {
			t.Fatalf("the kernel is %q; expected %q", r.plan.Kernel, kernel)
		}
		identical(t, got, want)
		if left, steps := r.active(), steps.active(); !slices.Equal(left, steps) {
			t.Fatalf("%b are active at the end; after steps %b", left, steps)
		}
	}
}

// With a threshold components are those of the edges that weigh more, in memory and streamed.
func TestComponents_OfHeavyEdges(t *testing.T) {
	random := testseed.Rand(t)
	wcc, err := catalog.Lookup("wcc")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		g := oracletest.RandomGraph(random, oracletest.Config{MaxVertices: 120, Directed: i%2 == 0, Unweighted: i%9 == 0})
		args, err := wcc.Bind(map[string]string{"threshold": fmt.Sprint(float64(random.IntN(9)-1) / 8)}, oracletest.Env(g))
		if err != nil {
			t.Fatal(err)
		}
		p, err := wcc.Program(args)
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t, g, 4<<20)
		if err := r.program(p); err != nil {
			t.Fatal(err)
		}
		r.chunks()
		run := r.whole
		if i%3 == 0 {
			run = r.streamed
		}
		if _, err := run(); err != nil {
			t.Fatal(err)
		}
		got := r.column(wcc.Result[0])
		if want := byHeavyEdges(g, args.Floats["threshold"]); !slices.Equal(got.Ints, want) {
			t.Fatalf("graph %d, threshold %v: %v, not %v", i, args.Floats["threshold"], got.Ints, want)
		}
		if err := wcc.Verify(g, args, []algorithms.Values{got}); err != nil {
			t.Fatal(err)
		}
		if want, err := wcc.Oracle(g, args); err != nil || !slices.Equal(got.Ints, want[0].Ints) {
			t.Fatalf("graph %d: the oracle has %v, %v", i, want, err)
		}
	}
}

// byHeavyEdges has ends of edges above a threshold take the lesser of their labels, until none changes.
func byHeavyEdges(g *algorithms.Graph, threshold float64) []int64 {
	label, weights := slices.Clone(g.IDs), g.Out.Columns["weight"]
	for changed := true; changed; {
		changed = false
		for v := range label {
			for k, u := range g.Out.Of(v) {
				w := 1.0
				if weights != nil {
					w = weights[g.Out.Offsets[v]+k]
				}
				if w > threshold && label[v] != label[u] {
					label[v], label[u], changed = min(label[v], label[u]), min(label[v], label[u]), true
				}
			}
		}
	}
	return label
}
