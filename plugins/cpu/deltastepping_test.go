package cpu_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// sums are programs of the shape that delta-stepping takes: least sums.
func sums() map[string]*algorithms.Program {
	program := func(init, process string) *algorithms.Program { return best(algorithms.Min, init, process) }
	return map[string]*algorithms.Program{
		"from one":           program("id == 1 ? 0.0 : inf", "src.cost + edge.weight"),
		"weight first":       program("id == 1 ? 0.0 : inf", "edge.share + src.cost"),
		"from several":       program("id % 40 == 1 ? double(id) / 3.0 : inf", "src.cost + edge.share"),
		"from all":           program("double(id * 7919 % 1009)", "src.cost + edge.weight"),
		"from none":          program("inf", "src.cost + edge.weight"),
		"from below nothing": program("id == 1 ? -2.0 : inf", "src.cost + edge.weight"),
		"from less than 0":   program("id == 1 ? -0.0 : inf", "src.cost + edge.weight"),
	}
}

// best is a program of one column, doubles, that need not say that it is monotone.
func best(reduce algorithms.Reduce, init, process string) *algorithms.Program {
	return &algorithms.Program{Process: algorithms.Expr{Source: process}, Reduce: reduce,
		State: []algorithms.State{{Name: "cost", Type: algorithms.Float, Init: algorithms.Expr{Source: init}}}}
}

// others are programs that delta-stepping takes beside sums. Products are refused where an edge makes one better.
func others() map[string]*algorithms.Program {
	return map[string]*algorithms.Program{
		"widest":             best(algorithms.Max, "id == 1 ? inf : -inf", "min(src.cost, edge.weight)"),
		"widest from many":   best(algorithms.Max, "id % 40 == 1 ? double(id) : -inf", "min(edge.weight, src.cost)"),
		"narrowest":          best(algorithms.Min, "id == 1 ? -inf : inf", "max(src.cost, edge.weight)"),
		"narrowest from all": best(algorithms.Min, "double(id * 7919 % 1009)", "max(src.cost, edge.weight)"),
		"most reliable":      best(algorithms.Max, "id == 1 ? 1.0 : -inf", "src.cost * edge.share"),
		"reliable from many": best(algorithms.Max, "id % 40 == 1 ? double(id) : -inf", "src.cost * edge.share"),
		"least product":      best(algorithms.Min, "id == 1 ? 1.0 : inf", "src.cost * edge.weight"),
		"from nothing":       best(algorithms.Max, "id == 1 ? 0.0 : -inf", "edge.share * src.cost"),
		"from less than 0":   best(algorithms.Max, "id == 1 ? -0.0 : -inf", "edge.share * src.cost"),
		"from below nothing": best(algorithms.Max, "id == 1 ? -2.0 : -inf", "min(src.cost, edge.weight)"),
	}
}

// lengths are weights of an edge from u to v.
func lengths(random *rand.Rand) map[string]func(u, v int) float64 {
	return map[string]func(u, v int) float64{
		"even":       func(int, int) float64 { return random.Float64() },
		"small ints": func(int, int) float64 { return float64(random.IntN(4)) },
		"zero":       func(int, int) float64 { return 0 },
		"far apart":  func(int, int) float64 { return math.Exp(40 * random.NormFloat64()) },
		"tiny":       func(int, int) float64 { return float64(random.IntN(9)) * math.SmallestNonzeroFloat64 },
		"at least 1": func(int, int) float64 { return 1 + float64(random.IntN(3)) },
		"signed":     func(int, int) float64 { return random.NormFloat64() },
		"infinite":   func(int, int) float64 { return []float64{1, math.Inf(1), 1e308}[random.IntN(3)] },
	}
}

// Whatever the weights, the chunks and the threads, delta-stepping leaves the bits that
// steps leave, which are the interpreter's values.
func TestDeltaStepping_AgreesWithStepsAndTheInterpreter(t *testing.T) {
	random := testseed.Rand(t)
	kinds := lengths(random)
	for _, kind := range long.Draw(t, slices.Sorted(maps.Keys(kinds)), 3) {
		n, weight := 1+random.IntN(1500), kinds[kind]
		g := weighted(random, n, 1+random.IntN(6*n), random.IntN(2) == 0, weight) // without edges there are no weights
		all := sums()
		maps.Copy(all, others())
		for name, p := range testseed.Sorted(all) {
			if cyclesGain(p, kind) {
				continue
			}
			p.Edges = algorithms.Edges(random.IntN(3))
			t.Run(fmt.Sprintf("%s, %s weights", name, kind), func(t *testing.T) {
				compareSolver(t, g, p, "delta-stepping; ", random)
			})
		}
	}
}

// cyclesGain tells whether cycles with lengths of some kind may make a state better for ever.
func cyclesGain(p *algorithms.Program, kind string) bool {
	switch process := p.Process.Source; {
	case strings.HasPrefix(process, "m"): // the least or largest
		return false
	case strings.Contains(process, "*"):
		return strings.Contains(process, "edge.weight") && kind != "at least 1" && kind != "infinite"
	default:
		return kind == "signed"
	}
}

// weighted is a random graph with weights of the caller's.
func weighted(random *rand.Rand, n, edges int, directed bool, weight func(u, v int) float64) *algorithms.Graph {
	ids, list := make([]int64, n), make([]algorithms.Edge, edges)
	for v, at := range random.Perm(n) {
		ids[v] = int64(at + 1)
	}
	for i := range list {
		u, v := random.IntN(n), random.IntN(n)
		list[i] = algorithms.Edge{Src: uint32(u), Dst: uint32(v),
			Weights: map[string]float64{"weight": weight(u, v), "share": random.Float64()}}
	}
	return algorithms.NewGraph(directed, ids, list)
}

// Weights that are negative or NaN are left to iterations, wherever they are met. No cycle
// is negative: its ascents and descents are equal.
func TestDeltaStepping_LeavesOtherWeights(t *testing.T) {
	random := testseed.Rand(t)
	for round := range 4 {
		n := 2 + random.IntN(600)
		height := make([]float64, n)
		for v := range height {
			height[v] = float64(random.IntN(50))
		}
		for kind, weight := range testseed.Sorted(map[string]func(u, v int) float64{
			"negative": func(u, v int) float64 { return float64(random.IntN(30)) + height[v] - height[u] },
			"NaN":      func(int, int) float64 { return []float64{math.NaN(), 1}[min(1, random.IntN(60))] },
		}) {
			g := weighted(random, n, 4*n, true, weight)
			t.Run(fmt.Sprintf("%s, graph %d", kind, round), func(t *testing.T) {
				compareSolver(t, g, sums()["from one"], "delta-stepping; ", random)
			})
		}
	}
}

// More wait at once than the buckets have room for: each of a chain offers all others a
// slightly better way.
func TestDeltaStepping_BucketsOverflow(t *testing.T) {
	const links, others = 80, 900
	var list []algorithms.Edge
	edge := func(u, v int, w float64) {
		list = append(list, algorithms.Edge{Src: uint32(u), Dst: uint32(v),
			Weights: map[string]float64{"weight": w, "share": 1}})
	}
	for link := range links {
		edge(link, link+1, 1)
		for other := range others {
			edge(link, links+1+other, float64(2000-3*link+other%7))
		}
	}
	ids := make([]int64, links+1+others)
	for v := range ids {
		ids[v] = int64(v + 1)
	}
	random := rand.New(rand.NewPCG(6, 6))
	compareSolver(t, algorithms.NewGraph(true, ids, list), sums()["from one"], "delta-stepping; ", random)
}

// Programs of another shape are left to iterations.
func TestDeltaStepping_LeavesOtherShapes(t *testing.T) {
	g := randomGraph(rand.New(rand.NewPCG(5, 5)), 50, 100, false)
	for name, edit := range map[string]func(*algorithms.Program){
		"more of source": func(p *algorithms.Program) { p.Process.Source = "src.cost + 1.0 + edge.weight" },
		"least of least": func(p *algorithms.Program) { p.Process.Source = "min(src.cost, edge.weight)" },
		"most":           func(p *algorithms.Program) { p.Reduce = algorithms.Max },
		"an apply":       func(p *algorithms.Program) { p.State[0].Apply.Source = "min(acc, self.cost + 1.0)" },
		"a bound":        func(p *algorithms.Program) { p.MaxIterations = 3 },
		"a norm":         func(p *algorithms.Program) { p.Norm = algorithms.L1 },
	} {
		p := sums()["from one"]
		edit(p)
		r := newRig(t, g, 1<<20)
		if err := r.program(p); err != nil {
			t.Fatal(name, err)
		}
		if strings.HasPrefix(r.plan.Kernel, "delta") {
			t.Errorf("%s: the kernel is %q", name, r.plan.Kernel)
		}
	}
}

// Around a ring that makes a state better each time, a program that says nothing of that goes on for as many
// iterations as there are vertices: what looks like paths that only get worse is not, and the bits are those of steps.
func TestDeltaStepping_RefusesWhatEdgesMakeBetter(t *testing.T) {
	const n = 40
	ring := func(weight func(v int) float64) *algorithms.Graph {
		ids, list := make([]int64, n), make([]algorithms.Edge, n)
		for v := range ids {
			ids[v] = int64(v)
			list[v] = algorithms.Edge{Src: uint32(v), Dst: uint32((v + 1) % (n / 4)),
				Weights: map[string]float64{"weight": weight(v), "share": 1}}
		}
		return algorithms.NewGraph(true, ids, list)
	}
	lowered := func(by float64) func(v int) float64 {
		return func(v int) float64 {
			if v == 3 {
				return by
			}
			return 1
		}
	}
	for title, c := range map[string]struct {
		p *algorithms.Program
		g *algorithms.Graph
	}{
		"negative weight":    {best(algorithms.Min, "id == 1 ? 1000.0 : inf", "src.cost + edge.weight"), ring(lowered(-20))},
		"less than 1, least": {best(algorithms.Min, "id == 1 ? 1.0 : inf", "src.cost * edge.weight"), ring(lowered(0.5))},
		"more than 1, most":  {best(algorithms.Max, "id == 1 ? 1.0 : -inf", "src.cost * edge.weight"), ring(lowered(2))},
		"negative factor":    {best(algorithms.Max, "id == 1 ? 1.0 : -inf", "src.cost * edge.weight"), ring(lowered(-2))},
		"negative, least":    {best(algorithms.Min, "id == 1 ? 1.0 : inf", "src.cost * edge.weight"), ring(lowered(-2))},
		"not a number": {best(algorithms.Max, "id == 1 ? 9.0 : -inf", "min(src.cost, edge.weight)"),
			ring(lowered(math.NaN()))},
		"negative width": {best(algorithms.Max, "id == 1 ? 9.0 : -inf", "min(src.cost, edge.weight)"), ring(lowered(-3))},
	} {
		want, _ := newRig(t, c.g, 4<<20).result(c.p, true)
		r := newRig(t, c.g, 4<<20)
		got, _ := r.result(c.p, false)
		if !strings.HasPrefix(r.plan.Kernel, "delta-stepping; ") {
			t.Errorf("%s: the kernel is %q", title, r.plan.Kernel)
		}
		t.Run(title, func(t *testing.T) { identical(t, got, want) })
	}
	for _, process := range []string{"src.cost / edge.weight", "src.cost - edge.weight", "-2.0 * src.cost + edge.weight",
		"src.cost * -1.0 + edge.weight", "edge.weight / src.cost", "src.cost + 2.0 * edge.weight"} {
		r := newRig(t, ring(lowered(2)), 4<<20)
		if err := r.program(best(algorithms.Min, "id == 1 ? 1.0 : inf", process)); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(r.plan.Kernel, "delta-stepping") {
			t.Errorf("%s: the kernel is %q", process, r.plan.Kernel)
		}
	}
}
