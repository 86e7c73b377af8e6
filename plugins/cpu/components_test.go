package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// labels are programs of the shape that components takes.
func labels() map[string]*algorithms.Program {
	program := func(t algorithms.Type, reduce algorithms.Reduce, init string) *algorithms.Program {
		return &algorithms.Program{Process: algorithms.Expr{Source: "src.tag"}, Reduce: reduce, Order: algorithms.Monotone, Edges: algorithms.BothSides,
			State: []algorithms.State{{Name: "tag", Type: t, Init: algorithms.Expr{Source: init}}}}
	}
	return map[string]*algorithms.Program{
		"least id":         program(algorithms.Int, algorithms.Min, "id"),
		"greatest id":      program(algorithms.Int, algorithms.Max, "id"),
		"least of a few":   program(algorithms.Int, algorithms.Min, "id % 30 == 1 ? id : unreached"),
		"nobody":           program(algorithms.Int, algorithms.Min, "unreached"),
		"greatest share":   program(algorithms.Float, algorithms.Max, "double(id * 7919 % 1009) / 7.0"),
		"both zeros":       program(algorithms.Float, algorithms.Min, "id % 2 == 0 ? 0.0 : -0.0"),
		"NaN wins":         program(algorithms.Float, algorithms.Min, "id % 50 == 1 ? inf - inf : double(id)"),
		"a degree":         program(algorithms.Int, algorithms.Max, "out_degree + in_degree"),
		"infinite or less": program(algorithms.Float, algorithms.Max, "id % 40 == 1 ? double(id) : -inf"),
	}
}

// Whatever the chunks and the threads, components leaves the bits that steps leave, which
// are the interpreter's values, and nobody active.
func TestComponents_AgreeWithStepsAndTheInterpreter(t *testing.T) {
	for range 2 {
		seed := rand.Uint64()
		random := rand.New(rand.NewPCG(seed, 3))
		n := 1 + random.IntN(5000)
		g := randomGraph(random, n, random.IntN(2*n), random.IntN(2) == 0)
		for name, p := range labels() {
			t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) {
				compareSolver(t, g, p, "components by sampled union", random)
			})
		}
	}
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
	near(t, steps.plan.Kernel, g, want[0], interpreted[0])
	for threads := 1; threads <= 4; threads++ {
		r := newRig(t, g, 4<<20)
		r.threads, r.stripes, r.columns = threads, 1+random.IntN(5), 1+random.IntN(3)
		got, _ := r.result(p, false)
		if !strings.HasPrefix(r.plan.Kernel, kernel) {
			t.Fatalf("the kernel is %q; expected %q", r.plan.Kernel, kernel)
		}
		identical(t, got, want)
		for _, word := range r.active() {
			if word != 0 {
				t.Fatalf("some are active at the end: %b", word)
			}
		}
	}
}
