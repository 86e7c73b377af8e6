package cpu_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// rewritings say P in other words, without changing a bit.
var rewritings = map[algorithms.Type][]string{
	algorithms.Float: {"1.0 * (P)", "(P) / 1.0", "-(-(P))", "(P) - 0.0", "double(P)", "true ? (P) : 7.0"},
	algorithms.Int:   {"(P) + 0", "0 + (P) * 1", "(P) / 1 - 0", "int(P)", "false ? 7 : (P)"},
	algorithms.Bool:  {"(P) || false", "true && (P)", "!!(P)"},
}

// A program's kernel does not depend on how its Process is written down.
func TestNormal_RewritingsReachTheSameKernel(t *testing.T) {
	g := randomGraph(rand.New(rand.NewPCG(5, 1)), 100, 400, true)
	for name, p := range programs(t, g) {
		want := kernelOf(t, g, p)
		for _, form := range rewritings[sumType(p)] {
			again := *p
			again.Process.Source = strings.ReplaceAll(form, "P", p.Process.Source)
			if got := kernelOf(t, g, &again); got != want {
				t.Errorf("%s: %q has kernel %q; expected %q", name, again.Process.Source, got, want)
			}
		}
	}
}

// sumType is the type of p's messages, as far as the tests' programs go.
func sumType(p *algorithms.Program) algorithms.Type {
	if t := p.State[0].Type; t != algorithms.VertexID {
		return t
	}
	return algorithms.Int
}

func kernelOf(t *testing.T, g *algorithms.Graph, p *algorithms.Program) string {
	r := newRig(t, g, 1<<20)
	if err := r.program(p); err != nil {
		t.Fatal(p.Process.Source, err)
	}
	return r.plan.Kernel
}

// Swapped operands are one shape, and so are an Apply that says what the reduction does
// anyway and none at all.
func TestNormal_OrderAndDefaultApply(t *testing.T) {
	g := randomGraph(rand.New(rand.NewPCG(6, 1)), 100, 400, false)
	shape := func(process, apply string) *algorithms.Program {
		return &algorithms.Program{Name: "x", Process: algorithms.Expr{Source: process}, Reduce: algorithms.Min,
			State: []algorithms.State{
				{Name: "x", Type: algorithms.Float, Init: algorithms.Expr{Source: "id == 1 ? 0.0 : inf"},
					Apply: algorithms.Expr{Source: apply}}}}
	}
	for _, process := range [][2]string{{"src.x + edge.weight", "edge.weight + src.x"},
		{"src.x + 1.0", "1.0 * (1.0 + src.x)"}, {"src.x + -1.0", "1.0 * (-1.0 + src.x)"}} {
		want := kernelOf(t, g, shape(process[0], ""))
		for _, apply := range []string{"", "min(self.x, acc)", "min(acc, 1.0 * self.x)"} {
			for _, written := range process {
				if got := kernelOf(t, g, shape(written, apply)); got != want {
					t.Errorf("%q, %q has kernel %q; expected %q", written, apply, got, want)
				}
			}
		}
	}
	if one, other := kernelOf(t, g, shape("src.x + 1.0", "")),
		kernelOf(t, g, shape("src.x + 1.0", "max(self.x, acc)")); one == other {
		t.Errorf("another Apply has kernel %q too", other)
	}
}

// Programs written in other words, and those with parts to hoist, compute what the
// interpreter computes.
func TestNormal_AgreesWithTheInterpreter(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	g := randomGraph(random, 200, 900, true)
	for name, p := range programs(t, g) {
		forms := append([]string{map[algorithms.Type]string{
			algorithms.Float: "dst.in_degree > 2 ? (P) : max(P, double(src.out_degree) + 0.5)",
			algorithms.Int:   "dst.in_degree > 2 ? (P) : (P) + src.out_degree % 2",
			algorithms.Bool:  "dst.in_degree > 2 ? (P) : (P) && src.out_degree > 1"}[sumType(p)]}, rewritings[sumType(p)]...)
		again := *p
		again.Process.Source = strings.ReplaceAll(forms[random.IntN(len(forms))], "P", p.Process.Source)
		again.MaxIterations = 4
		t.Run(name+": "+again.Process.Source, func(t *testing.T) { compareRuns(t, g, &again) })
	}
}
