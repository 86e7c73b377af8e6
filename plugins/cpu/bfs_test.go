package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// searches are programs of the shape that package bfs solves, with one source or several.
func searches() map[string]*algorithms.Program {
	expr := func(s string) algorithms.Expr { return algorithms.Expr{Source: s} }
	program := func(t algorithms.Type, reduce algorithms.Reduce, init, process string) *algorithms.Program {
		return &algorithms.Program{Process: expr(process), Reduce: reduce, Order: algorithms.Monotone,
			State: []algorithms.State{{Name: "x", Type: t, Init: expr(init)}}}
	}
	return map[string]*algorithms.Program{
		"levels from one":     program(algorithms.Int, algorithms.Min, "id == 1 ? 0 : unreached", "src.x + 1"),
		"levels from several": program(algorithms.Int, algorithms.Min, "id % 40 == 1 ? 7 : unreached", "src.x + 1"),
		"levels from none":    program(algorithms.Int, algorithms.Min, "unreached", "src.x + 1"),
		"from everybody":      program(algorithms.Float, algorithms.Min, "0.0", "src.x + 1.0"),
		"falling":             program(algorithms.Float, algorithms.Max, "id % 50 == 1 ? 64.0 : -inf", "src.x / 2.0"),
		"reached":             program(algorithms.Bool, algorithms.Or, "id % 60 == 1", "src.x"),
		"lost":                program(algorithms.Bool, algorithms.And, "id % 60 != 1", "src.x"),
		"a constant":          program(algorithms.Int, algorithms.Min, "id % 50 == 1 ? 3 : unreached", "9"),
		"ends at a depth": program(algorithms.Int, algorithms.Min, "id == 1 ? 0 : unreached",
			"src.x >= 2 ? unreached : src.x + 1"),
		"turns for the better": program(algorithms.Int, algorithms.Min, "id == 1 ? 10 : unreached",
			"src.x > 11 ? 2 : src.x < 9 ? src.x : src.x + 1"),
		"values differ": program(algorithms.Int, algorithms.Min, "id % 40 == 1 ? id : unreached", "src.x + 1"),
	}
}

// Whatever the chunks, the threads and the bounds, a search leaves the state, the active
// set and the number of iterations that steps leave, which are the interpreter's.
func TestBFS_AgreesWithStepsAndTheInterpreter(t *testing.T) {
	random := testseed.Rand(t)
	for round := range 3 {
		g := randomGraph(random, 150+random.IntN(5000), 700+random.IntN(7000), random.IntN(2) == 0)
		for name, p := range testseed.Sorted(searches()) {
			p.Edges = algorithms.Edges(random.IntN(3))
			p.MaxIterations = random.IntN(2) * (1 + random.IntN(6))
			p.Exactly = p.MaxIterations > 0 && random.IntN(2) == 0
			t.Run(fmt.Sprintf("%s, graph %d", name, round), func(t *testing.T) {
				compareRuns(t, g, p)
				compareActive(t, g, p, random)
			})
		}
	}
}

func compareActive(t *testing.T, g *algorithms.Graph, p *algorithms.Program, random *rand.Rand) {
	search, steps := newRig(t, g, 1<<20), newRig(t, g, 1<<20)
	search.threads, search.stripes, search.columns = 1+random.IntN(4), 1+random.IntN(5), 1+random.IntN(3)
	search.result(p, false)
	steps.result(p, true)
	if !strings.HasPrefix(search.plan.Kernel, "breadth-first search") {
		t.Errorf("the kernel is %q; expected a breadth-first search", search.plan.Kernel)
	}
	if !slices.Equal(search.active(), steps.active()) {
		t.Error("the active set differs from that of steps")
	}
}

// Where lists are cut to what it asks for, a search finds what it finds from all of them, and is
// sent a small part of them where most vertices have many edges.
func TestBFS_AsksForPartsOfLists(t *testing.T) {
	random := testseed.Rand(t)
	for _, shape := range []struct{ n, edges int }{{3000, 9000}, {3000, 60_000}} {
		g := randomGraph(random, shape.n, shape.edges, false)
		for name, p := range testseed.Sorted(searches()) {
			t.Run(fmt.Sprintf("%s, %+v", name, shape), func(t *testing.T) {
				want, _ := newRig(t, g, 16<<20).result(p, true)
				r := newRig(t, g, 16<<20)
				r.threads, r.stripes, r.columns = 1+random.IntN(4), 1+random.IntN(3), 1+random.IntN(2)
				err := r.compileAs(p, plugins.Task{ActiveRows: true, Places: true})
				if err != nil {
					t.Fatal(err)
				}
				entries, err := r.listed()
				if err != nil {
					t.Fatal(err)
				}
				identical(t, r.states(p), want)
				if all := g.Out.Offsets[g.N()]; name == "levels from one" && shape.edges == 60_000 && entries > all/2 {
					t.Errorf("%d entries of lists asked for; there are %d", entries, all)
				}
			})
		}
	}
}

// active copies the active set out of the arena.
func (r *rig) active() []uint64 {
	words, err := r.arena.Uint64s(r.layout.Active)
	if err != nil {
		r.tb.Fatal(err)
	}
	return slices.Clone(words[:(r.graph.N()+63)/64])
}

// Programs of another shape are left to iterations.
func TestBFS_LeavesOtherShapes(t *testing.T) {
	g := randomGraph(rand.New(rand.NewPCG(5, 5)), 50, 100, false)
	for name, edit := range map[string]func(*algorithms.Program){
		"a weight":       func(p *algorithms.Program) { p.Process.Source = "src.x + int(edge.weight)" },
		"the target":     func(p *algorithms.Program) { p.Process.Source = "src.x + dst.x" },
		"more of source": func(p *algorithms.Program) { p.Process.Source = "src.x + src.out_degree" },
		"an apply":       func(p *algorithms.Program) { p.State[0].Apply.Source = "min(acc, self.x + 1)" },
		"always active":  func(p *algorithms.Program) { p.Activity = algorithms.Always },
		"a norm":         func(p *algorithms.Program) { p.Norm = algorithms.L1 },
		"sums":           func(p *algorithms.Program) { p.Reduce = algorithms.Sum },
	} {
		p := searches()["levels from one"]
		edit(p)
		r := newRig(t, g, 1<<20)
		if err := r.program(p); err != nil {
			t.Fatal(name, err)
		}
		if strings.HasPrefix(r.plan.Kernel, "breadth-first search") {
			t.Errorf("%s: the kernel is %q", name, r.plan.Kernel)
		}
	}
}
