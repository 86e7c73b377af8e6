package kernels_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/cuda/lower"
	"github.com/penstock-db/penstock/plugins/cuda/ptx/ptxtest"
)

// Every program of the catalog has the result that its definition has, in as many iterations: where messages are
// compared, to the bit.
func TestTemplate_Catalog(t *testing.T) {
	for _, a := range catalog.All() {
		if a.Program == nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			eachSeed(t, 4, func(c *card, rng *rand.Rand) {
				k, err := oracletest.RandomCase(rng, a, 600)
				must(c.t, err)
				spec, err := a.Program(k.Args)
				must(c.t, err)
				compare(c, rng, k.Graph, *spec)
			})
		})
	}
}

func expr(source string) algorithms.Expr { return algorithms.Expr{Source: source} }

func state(name string, t algorithms.Type, init, apply string) algorithms.State {
	return algorithms.State{Name: name, Type: t, Init: expr(init), Apply: expr(apply)}
}

// others are programs unlike those of the catalog: all reductions and types, and messages of all forms. They are
// named by the kernel that they need. Where it counts whether a sum has changed, sums are exact, in any order.
func others() map[string]algorithms.Program {
	return map[string]algorithms.Program{
		"push_float_processed": {State: []algorithms.State{state("x", algorithms.Float, "double(id % 7) - 3.0", "")},
			Process: expr("src.x * edge.weight - dst.x"), Reduce: algorithms.Max, MaxIterations: 5},
		// zeros of both signs
		"push_float_at_most": {State: []algorithms.State{state("x", algorithms.Float, "0.0 - double(id % 5) * 0.0", "")},
			Process: expr("min(edge.weight - 0.0, src.x * 1.0)"), Reduce: algorithms.Min, Edges: algorithms.Backward},
		// NaN, of which there are several
		"push_float_as_is": {State: []algorithms.State{state("x", algorithms.Float,
			"id % 11 == 0 ? 0.0 / (0.0 * double(id)) : double(id)", "")},
			Process: expr("src.x / 2.0"), Reduce: algorithms.Min, MaxIterations: 6, Exactly: true, Edges: algorithms.BothSides},
		"push_int_processed": {State: []algorithms.State{state("x", algorithms.Int, "id", "max(self.x, acc) % 1000003"),
			state("y", algorithms.Bool, "id % 2 == 0", "!self.y")},
			Process: expr("src.y ? src.x * 3 : dst.x - src.id"), Reduce: algorithms.Max, Activity: algorithms.Always,
			Norm: algorithms.LInf, MaxIterations: 4, Exactly: true},
		"push_int_as_is": {State: []algorithms.State{state("x", algorithms.Bool, "id % 3 != 0", "")},
			Process: expr("src.x"), Reduce: algorithms.And},
		"pull_float_sum_plus": {State: []algorithms.State{state("x", algorithms.Float, "id % 3 == 0 ? 0.0 : 1.0",
			"acc < 1024.0 ? acc / 4.0 : self.x")},
			Process: expr("edge.weight + src.x"), Reduce: algorithms.Sum, Norm: algorithms.L1, MaxIterations: 5},
		"pull_float_sum_at_most": {State: []algorithms.State{state("x", algorithms.Float, "double(id % 4) / 8.0",
			"acc / 128.0")},
			Process: expr("min(src.x, edge.weight)"), Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 3},
		"pull_float_sum_at_least": {State: []algorithms.State{state("x", algorithms.Float, "double(id % 4) / 8.0",
			"acc > 10.0 ? self.x : acc")},
			Process: expr("max(src.x, edge.weight)"), Reduce: algorithms.Sum, MaxIterations: 3},
		"pull_float_sum_processed": {State: []algorithms.State{state("x", algorithms.Float, "1.0",
			"acc / double(max(self.in_degree, 1)) + agg.mean")},
			Process: expr("dst.x > 0.5 ? src.x * edge.weight : edge.weight"), Reduce: algorithms.Sum,
			Activity: algorithms.Always, MaxIterations: 3,
			Aggregates: []algorithms.Aggregate{{Name: "all", Expr: expr("self.x")},
				{Name: "mean", Expr: expr("self.x / double(n)")}}},
		"pull_float_product_as_is": {State: []algorithms.State{state("x", algorithms.Float, "id % 3 == 0 ? 1.0 : 1.25",
			"acc > 16.0 ? 0.5 : acc")},
			Process: expr("src.x"), Reduce: algorithms.Prod, MaxIterations: 4},
		"pull_float_product_processed": {State: []algorithms.State{state("x", algorithms.Float, "id % 3 == 0 ? 1.0 : 1.25",
			"acc < 0.1 ? 1.5 : acc")},
			Process: expr("src.x + edge.weight / 64.0"), Reduce: algorithms.Prod, Activity: algorithms.Always, MaxIterations: 3},
		"pull_int_sum_as_is": {State: []algorithms.State{state("x", algorithms.Int, "id % 3", "acc % 1000")},
			Process: expr("src.x * 4611686018427387905"), Reduce: algorithms.Sum, MaxIterations: 5, Edges: algorithms.BothSides},
		"pull_int_sum_processed": {State: []algorithms.State{state("x", algorithms.Int, "id", "acc + self.x")},
			Process: expr("src.x == dst.x ? 0 : 1"), Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 3},
		"pull_int_product_as_is": {State: []algorithms.State{state("x", algorithms.Int, "id % 5 + 1", "acc % 97")},
			Process: expr("src.x"), Reduce: algorithms.Prod, MaxIterations: 4, Edges: algorithms.Backward},
		"pull_int_product_processed": {State: []algorithms.State{state("x", algorithms.Int, "id % 5 + 1", "acc % 97")},
			Process: expr("src.x + dst.x"), Reduce: algorithms.Prod, MaxIterations: 4},
	}
}

func TestTemplate_Others(t *testing.T) {
	for kernel, spec := range others() {
		t.Run(kernel, func(t *testing.T) {
			spec.Name = kernel
			eachSeed(t, 3, func(c *card, rng *rand.Rand) {
				g := oracletest.RandomGraph(rng, oracletest.Config{MaxVertices: 500, Directed: rng.IntN(2) == 0})
				if len(g.EdgeColumns()) == 0 {
					c.t.Skip("the graph that was drawn has no edges, and so no weights: other seeds have some")
				}
				if got := compare(c, rng, g, spec); got != kernel {
					c.t.Fatalf("the kernel is %s", got)
				}
			})
		})
	}
}

// A row of any length, those at which the way of going along it changes too, sends and receives as it should.
func TestTemplate_LongRows(t *testing.T) {
	a, b := others()["pull_float_sum_plus"], others()["push_float_at_most"]
	for _, spec := range []algorithms.Program{a, b} {
		eachSeed(t, 2, func(c *card, rng *rand.Rand) { compare(c, rng, hubs(rng), spec) })
	}
}

// hubs is a graph with rows of these lengths, either way round.
func hubs(rng *rand.Rand) *algorithms.Graph {
	const n = 300
	ids := make([]int64, n)
	var edges []algorithms.Edge
	for v := range ids {
		ids[v] = int64(v)
	}
	for v, length := range []int{1, 7, 8, 9, 127, 128, 129, 255, 256, 257, 4095, 4096, 4097, 3*4096 + 1} {
		for range length {
			edges = append(edges, algorithms.Edge{Src: uint32(v), Dst: uint32(rng.IntN(n)),
				Weights: map[string]float64{"weight": float64(1+rng.IntN(16)) / 16}})
		}
	}
	for i := range len(edges) {
		if e := edges[i]; rng.IntN(2) == 0 {
			edges[i].Src, edges[i].Dst = e.Dst, e.Src
		}
	}
	return algorithms.NewGraph(rng.IntN(2) == 0, ids, edges)
}

// What the edge does to a message has the same bits whether its form is known or it is processed.
func TestTemplate_FormsAsProcessed(t *testing.T) {
	for _, spec := range others() {
		eachSeed(t, 1, func(c *card, rng *rand.Rand) {
			g, seed := hubs(rng), rng.Uint64()
			one := newRun(c, rand.New(rand.NewPCG(seed, 0)), g, spec)
			other := newRunBy(kernels.LoadProcessed, c, rand.New(rand.NewPCG(seed, 0)), g, spec)
			one.iterate()
			other.iterate()
			for i, x := range other.result() {
				if y := one.result()[i]; !slices.Equal(bitsOf(x), bitsOf(y)) {
					c.t.Fatalf("%s gives %v\n%s gives %v", one.template.Kernel(), y, other.template.Kernel(), x)
				}
			}
		})
	}
}

// compare runs spec on the card, twice, and by its definition. It gives the kernel's name.
func compare(c *card, rng *rand.Rand, g *algorithms.Graph, spec algorithms.Program) string {
	c.t.Helper()
	want, iterations, err := algorithms.RunProgram(g, &spec)
	if err != nil {
		if diverged := (*algorithms.DivergedError)(nil); !errors.As(err, &diverged) {
			c.t.Fatal(err)
		}
		c.t.Skip("the program that was drawn diverges on this graph, and so has no result: other seeds have one: ", err)
	}
	r := newRun(c, rng, g, spec)
	got, edges := r.iterate()
	exact := r.spec.Reduce >= algorithms.Min
	if got != iterations && (exact || r.spec.Norm == algorithms.NoNorm) {
		c.t.Fatalf("%s: %d iterations; expected %d", r.template.Kernel(), got, iterations)
	}
	first := r.result()
	for i, w := range want {
		if !same(first[i], w, exact) {
			c.t.Fatalf("%s: column %s is\n%v; expected\n%v", r.template.Kernel(), w.Name, first[i], w)
		}
	}
	if got := r.edges() * uint64(got); r.template.Pulls() && edges != got {
		c.t.Fatalf("%s has gone along %d edges of %d", r.template.Kernel(), edges, got)
	}
	r.iterate()
	for i, again := range r.result() {
		if !slices.Equal(bitsOf(again), bitsOf(first[i])) {
			c.t.Fatalf("%s: column %s is\n%v; before it was\n%v", r.template.Kernel(), again.Name, again, first[i])
		}
	}
	return r.template.Kernel()
}

// same compares a result with its definition's: NaNs are alike, and a sum may have been taken in another order.
func same(a, b algorithms.Values, exact bool) bool {
	if a.Type != algorithms.Float {
		return slices.Equal(bitsOf(a), bitsOf(b))
	}
	return slices.EqualFunc(a.Floats, b.Floats, func(x, y float64) bool {
		if exact || x != x {
			return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
		}
		return x == y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
	})
}

// The whole is what the driver compiles: every kernel, with lowered functions where they are called.
func TestTemplate_Assembles(t *testing.T) {
	for kernel, spec := range others() {
		must(t, algorithms.Check(&spec, []string{"weight"}))
		text := linked(t, &spec)
		if strings.Contains(text, "penstock_process, \n") || strings.Contains(text, "penstock_apply, \n") {
			t.Errorf("%s calls functions that should stand there", kernel)
		}
		if !strings.Contains(text, ".entry "+kernel+"(") || strings.Count(text, ".entry") > 14 {
			t.Errorf("for %s there are %d kernels", kernel, strings.Count(text, ".entry"))
		}
		ptxtest.Assemble(t, text)
	}
}

func TestTemplate_CatalogAssembles(t *testing.T) {
	for _, a := range catalog.All() {
		if a.Program == nil {
			continue
		}
		k, err := oracletest.RandomCase(rand.New(rand.NewPCG(1, 2)), a, 10)
		must(t, err)
		spec, err := a.Program(k.Args)
		must(t, err)
		must(t, algorithms.Check(spec, k.Graph.EdgeColumns()))
		ptxtest.Assemble(t, linked(t, spec))
	}
}

func linked(t *testing.T, spec *algorithms.Program) string {
	lowered, err := lower.Lower(spec)
	must(t, err)
	text, err := kernels.Linked(spec, lowered.PTX)
	must(t, err)
	return text
}

// Modules that call no lowered functions are compiled as they are.
func TestModules_Assemble(t *testing.T) {
	for name, text := range kernels.Modules() {
		if name != "template" {
			ptxtest.Assemble(t, text)
		}
	}
}

func TestModules_AreOfNoToolkit(t *testing.T) {
	for name, text := range kernels.Modules() {
		if !strings.HasPrefix(text, "//\n// Generated by LLVM NVPTX Back-End\n//\n\n.version 6.3\n.target sm_70\n") {
			t.Errorf("%s.ptx begins with %s", name, fmt.Sprintf("%.100s", text))
		}
		if name == "network" { // whose products ask for it
			text = strings.ReplaceAll(text, "\tfma.rn.f32", "")
		}
		for _, contracted := range []string{"fma.", "mul.f64", "add.f64", "sub.f64", "div.f64", "mul.f32", "add.f32",
			"sub.f32", "div.f32"} {
			if strings.Contains(text, "\t"+contracted) {
				t.Errorf("%s.ptx has %s, which a compiler may contract", name, contracted)
			}
		}
	}
}
