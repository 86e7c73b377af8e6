package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
)

// programs are the catalog's, and some that no fused loop exists for.
func programs(tb testing.TB, g *algorithms.Graph) map[string]*algorithms.Program {
	all := map[string]*algorithms.Program{}
	for _, a := range catalog.All() {
		if a.Program == nil {
			continue
		}
		args := algorithms.Args{
			Floats:   map[string]float64{"damping": 0.85, "lambda": 0.85, "tolerance": 1e-9},
			Ints:     map[string]int64{"source": g.IDs[0], "iterations": 6},
			Strings:  map[string]string{"weight": "share"},
			Directed: g.Directed,
		}
		p, err := a.Program(args)
		if err != nil {
			tb.Fatal(a.Name, err)
		}
		all[a.Name] = p
	}
	for name, p := range unusual() {
		all[name] = p
	}
	return all
}

func unusual() map[string]*algorithms.Program {
	expr := func(s string) algorithms.Expr { return algorithms.Expr{Source: s} }
	float := func(init, apply string) []algorithms.State {
		return []algorithms.State{{Name: "x", Type: algorithms.Float, Init: expr(init), Apply: expr(apply)}}
	}
	whole := func(init, apply string) []algorithms.State {
		return []algorithms.State{{Name: "x", Type: algorithms.Int, Init: expr(init), Apply: expr(apply)}}
	}
	return map[string]*algorithms.Program{
		"difference of both ends": {State: float("double(id % 7)",
			"0.5 * self.x + 0.25 * acc / double(max(1, self.in_degree))"),
			Process: expr("(src.x - dst.x) * edge.weight"), Reduce: algorithms.Sum, Activity: algorithms.Always,
			MaxIterations: 4, Norm: algorithms.L1},
		"changed sum over weights": {State: float("id % 5 == 0 ? 1.0 : 0.0", "min(acc, 9.0)"),
			Process: expr("src.x + edge.share"), Reduce: algorithms.Sum, MaxIterations: 3},
		"changed sum of messages": {State: float("id % 5 == 0 ? 1.0 : 0.0", "acc > 3.0 ? self.x : acc"),
			Process: expr("src.x / 2.0"), Reduce: algorithms.Sum, MaxIterations: 5, Edges: algorithms.Backward},
		"product": {State: float("1.0 + double(id % 3)", "sqrt(acc)"),
			Process: expr("src.x > 2.0 ? 1.5 : 1.0"), Reduce: algorithms.Prod, Activity: algorithms.Always, MaxIterations: 3},
		"product of weights": {State: float("1.0 + double(id % 3)", "min(acc, 100.0)"),
			Process: expr("max(src.x * edge.share, 0.9)"), Reduce: algorithms.Prod, MaxIterations: 3,
			Edges: algorithms.BothSides},
		"int sum": {State: whole("id", "acc % 1000003"), Process: expr("src.x * 3 + 1"), Reduce: algorithms.Sum,
			Activity: algorithms.Always, MaxIterations: 4, Edges: algorithms.BothSides},
		"int product": {State: whole("id % 3 + 1", ""), Process: expr("src.x"), Reduce: algorithms.Prod,
			MaxIterations: 3},
		"int min of edges": {State: whole("id", ""), Process: expr("src.x + int(edge.weight) % 3"), Reduce: algorithms.Min,
			MaxIterations: 5},
		"max with an apply": {State: float("double(id % 11)", "acc == -inf ? self.x : (acc + self.x) / 2.0"),
			Process: expr("abs(src.x - dst.x) + edge.share"), Reduce: algorithms.Max, MaxIterations: 4},
		"and": {State: []algorithms.State{{Name: "x", Type: algorithms.Bool, Init: expr("id % 9 != 0")}},
			Process: expr("src.x && edge.weight > 1.0"), Reduce: algorithms.And, MaxIterations: 9, Edges: algorithms.Backward},
		"affine": {State: float("double(id % 7)", "2.0 + 0.25 * (acc / double(max(1, self.in_degree)) + 0.5)"),
			Process: expr("src.x / double(max(1, src.out_degree))"), Reduce: algorithms.Sum, Activity: algorithms.Always,
			MaxIterations: 4, Norm: algorithms.LInf},
		"by target": {State: float("double(id % 7)", "1.0 + 0.5 * acc"),
			Process: expr("dst.x < 3.0 ? src.x / 8.0 : single(sqrt(src.x))"),
			Reduce:  algorithms.Sum, Activity: algorithms.Always, MaxIterations: 1},
		"some targets": {State: float("double(id % 7)", "acc"), Process: expr("dst.id % 100 < 80 ? 0.0 : 0.1 * src.x"),
			Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 4, Edges: algorithms.BothSides},
		"affine of singles": {State: float("double(id % 7) / 8.0", "0.1 + 0.25 * acc"),
			Process: expr("single(src.x / double(max(1, src.out_degree)))"),
			Reduce:  algorithms.Sum, Activity: algorithms.Always, MaxIterations: 4, Norm: algorithms.L1},
		"singles of any form": {State: float("double(id % 7)", "0.5 * acc"), Process: expr("single(sqrt(src.x))"),
			Reduce:   algorithms.Sum,
			Activity: algorithms.Always, MaxIterations: 1},
		"changed singles": {State: float("id % 5 == 0 ? 0.1 : 0.0", "min(acc, 3.0)"), Process: expr("single(src.x)"),
			Reduce:        algorithms.Sum,
			MaxIterations: 2},
		"singles and weights": {State: float("double(id % 7) * 0.1", "0.5 * acc"),
			Process: expr("single(src.x) * edge.share"), Reduce: algorithms.Sum,
			Activity: algorithms.Always, MaxIterations: 1},
		"affine of what is its own": {State: float("double(id % 7)",
			"acc / double(self.in_degree + 1) + double(self.id % 3)"),
			Process: expr("0.5 * src.x"), Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 4,
			Norm: algorithms.L1, Tolerance: 1e-3},
		"affine but for one term": {State: float("double(id % 7)", "(acc + agg.odd) / double(self.in_degree + 1)"),
			Process: expr("src.x * (src.id % 2 == 0 ? 0.25 : 0.5)"), Reduce: algorithms.Sum, Activity: algorithms.Always,
			MaxIterations: 4,
			Aggregates:    []algorithms.Aggregate{{Name: "odd", Expr: expr("self.id % 2 == 1 ? self.x : 0.0")}},
			Norm:          algorithms.L1},
		"sum of all": {State: float("double(id % 7)", "acc"), Process: expr("src.x"), Reduce: algorithms.Sum,
			Activity: algorithms.Always, MaxIterations: 3},
		"two aggregates": {State: float("double(id % 7)", "agg.low + 0.1 * (acc + agg.all / double(n))"),
			Process: expr("src.x / 3.0"), Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 3,
			Norm: algorithms.L1,
			Aggregates: []algorithms.Aggregate{{Name: "low", Expr: expr("self.x < 1.0 ? self.x : 0.0")},
				{Name: "all", Expr: expr("self.x")}}},
		"three columns": {State: []algorithms.State{
			{Name: "x", Type: algorithms.Float, Init: expr("double(id)"), Apply: expr("self.y")},
			{Name: "y", Type: algorithms.Float, Init: expr("-1.0"), Apply: expr("self.x + agg.mass / double(n) + acc * 0.001")},
			{Name: "odd", Type: algorithms.Bool, Init: expr("id % 2 == 1"), Apply: expr("!self.odd")}},
			Process: expr("src.odd ? src.x : src.y"), Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 5,
			Exactly:    true,
			Aggregates: []algorithms.Aggregate{{Name: "mass", Expr: expr("self.odd ? self.x : 1.0")}}, Norm: algorithms.LInf},
	}
}

// Every program gives what the interpreter gives; whole or streamed, on one thread or
// several it gives the same bits.
func TestPrograms_AgreeWithTheInterpreter(t *testing.T) {
	for seed := range uint64(2) {
		directed := seed%2 == 0
		random := rand.New(rand.NewPCG(seed, 1))
		g := randomGraph(random, 150+random.IntN(200), 700, directed)
		for name, p := range programs(t, g) {
			t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) { compareRuns(t, g, p) })
		}
	}
}

func compareRuns(t *testing.T, g *algorithms.Graph, p *algorithms.Program) {
	lenient := *p
	lenient.Diverged = ""
	want, iterations, err := algorithms.RunProgram(g, &lenient)
	if err != nil {
		t.Fatal(err)
	}
	var first []algorithms.Values
	for _, form := range []struct{ threads, stripes, columns int }{{1, 3, 2}, {2, 3, 2}, {4, 3, 2}, {2, 1, 1}} {
		for _, stream := range []bool{false, true} {
			r := newRig(t, g, 1<<20)
			r.threads, r.stripes, r.columns = form.threads, form.stripes, form.columns
			got, ran := r.result(p, stream)
			if ran > iterations || ran < iterations && !mayEndEarly(r.plan.Kernel, p, stream) {
				t.Errorf("%+v, streamed %v: %d iterations; expected %d (kernel %s)", form, stream, ran, iterations, r.plan.Kernel)
			}
			for c := range want {
				near(t, r.plan.Kernel, got[c], want[c])
			}
			if first == nil {
				first = got
			} else if form.stripes == 3 {
				identical(t, got, first)
			}
		}
	}
}

// mayEndEarly tells of a kernel that may need fewer iterations than there are.
func mayEndEarly(kernel string, p *algorithms.Program, streamed bool) bool {
	switch kernel {
	case "breadth-first search":
		return streamed && p.MaxIterations == 0
	case "components by sampled union":
		return true
	}
	return !streamed && strings.HasPrefix(kernel, "delta-stepping;")
}

// result runs p and returns its state and iterations.
func (r *rig) result(p *algorithms.Program, stream bool) ([]algorithms.Values, int) {
	r.tb.Helper()
	if err := r.program(p); err != nil {
		r.tb.Fatal(err)
	}
	r.chunks()
	run := r.whole
	if stream {
		run = r.streamed
	}
	iterations, err := run()
	if err != nil {
		r.tb.Fatal(err)
	}
	var state []algorithms.Values
	for _, s := range p.State {
		state = append(state, r.column(algorithms.Column{Name: s.Name, Type: s.Type}))
	}
	return state, iterations
}

func near(t *testing.T, kernel string, got, want algorithms.Values) {
	t.Helper()
	for v := range want.Len() {
		switch {
		case got.Floats != nil && !nearly(got.Floats[v], want.Floats[v]):
			t.Fatalf("%s: %s at place %d is %v; expected %v", kernel, want.Name, v, got.Floats[v], want.Floats[v])
		case got.Ints != nil && got.Ints[v] != want.Ints[v]:
			t.Fatalf("%s: %s at place %d is %v; expected %v", kernel, want.Name, v, got.Ints[v], want.Ints[v])
		case got.Bools != nil && got.Bools[v] != want.Bools[v]:
			t.Fatalf("%s: %s at place %d is %v; expected %v", kernel, want.Name, v, got.Bools[v], want.Bools[v])
		}
	}
}

func nearly(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 1e-9*math.Abs(want)+1e-300 || math.IsNaN(got) && math.IsNaN(want)
}

// identical compares bits.
func identical(t *testing.T, got, want []algorithms.Values) {
	t.Helper()
	for c := range want {
		for v, x := range want[c].Floats {
			if math.Float64bits(got[c].Floats[v]) != math.Float64bits(x) {
				t.Fatalf("%s of vertex %d is %v, another run gave %v", want[c].Name, v, got[c].Floats[v], x)
			}
		}
		for v, x := range want[c].Ints {
			if got[c].Ints[v] != x {
				t.Fatalf("%s of vertex %d is %v, another run gave %v", want[c].Name, v, got[c].Ints[v], x)
			}
		}
	}
}
