package cpu_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// mazes are random graphs of several kinds, with parallel edges and parts that are not reached.
func mazes(random *rand.Rand) map[string]*algorithms.Graph {
	n := 2 + random.IntN(60)
	some := func(list []float64) func(u, v int) float64 {
		return func(int, int) float64 { return list[random.IntN(len(list))] }
	}
	height := make([]float64, n)
	for v := range height {
		height[v] = float64(random.IntN(9))
	}
	up := func(g *algorithms.Graph) *algorithms.Graph { // no cycle
		var list []algorithms.Edge
		for u := range g.N() {
			for k, v := range g.Out.Of(u) {
				if int(v) > u {
					list = append(list, algorithms.Edge{Src: uint32(u), Dst: v,
						Weights: map[string]float64{"weight": g.Out.Columns["weight"][g.Out.Offsets[u]+k], "share": 1}})
				}
			}
		}
		return algorithms.NewGraph(true, g.IDs, list)
	}
	graph := func(edges int, weight func(u, v int) float64) *algorithms.Graph {
		return weighted(random, n, edges, true, weight)
	}
	return map[string]*algorithms.Graph{
		"no cycle":          up(graph(4*n, some([]float64{-2, 0, 0.5, 1, 3}))),
		"few cycles":        graph(n, some([]float64{-1, 0, 0.5, 1, 2})),
		"many cycles":       graph(3*n, some([]float64{0, 0.5, 1, 2})),
		"zeros":             graph(3*n, some([]float64{0})),
		"ones":              graph(3*n, some([]float64{1})),
		"ups and downs":     graph(3*n, func(u, v int) float64 { return height[v] - height[u] }),
		"gains and nothing": graph(2*n, some([]float64{0, 1, 0.5})),
		"two ways":          weighted(random, n, n, false, some([]float64{0.5, 1})),
	}
}

// What the solver computes in one iteration is what oracles say, and a cycle that it names is
// one that gains.
func TestTopological_AgreesWithOracles(t *testing.T) {
	random := testseed.Rand(t)
	for round := range 25 {
		for kind, g := range testseed.Sorted(mazes(random)) {
			if len(g.Out.Neighbors) == 0 {
				continue // and no weights
			}
			for _, name := range []string{"max-cost", "min-reliability", "max-reliability", "sssp", "num-paths"} {
				title := fmt.Sprintf("%s, %s, round %d", name, kind, round)
				a, p, args := pathProgram(t, g, name, g.IDs[random.IntN(g.N())])
				if strings.HasSuffix(name, "reliability") && kind == "ups and downs" || strings.HasSuffix(name, "reliability") &&
					kind == "no cycle" || kind == "few cycles" && strings.HasSuffix(name, "reliability") {
					continue // weights below 0 have no meaning
				}
				want, wantErr := a.Oracle(g, args)
				got, last, err := solved(t, random, g, p)
				if (err == nil) != (wantErr == nil) {
					t.Fatalf("%s: error %v; expected %v", title, err, wantErr)
				}
				if last.Cycle != nil {
					checkGains(t, title, g, name, last.Cycle.Vertices)
				}
				if err != nil {
					continue
				}
				for v, x := range want[0].Floats {
					if got.Floats[v] != x {
						t.Fatalf("%s: vertex %d: %v; expected %v", title, v, got.Floats[v], x)
					}
				}
			}
		}
	}
}

// pathProgram is an algorithm's program from a source.
func pathProgram(t testing.TB, g *algorithms.Graph, name string, source int64) (*algorithms.Algorithm,
	*algorithms.Program, algorithms.Args) {
	t.Helper()
	a, err := catalog.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	args := algorithms.Args{Directed: g.Directed, Ints: map[string]int64{"source": source},
		Strings: map[string]string{"weight": "weight"}}
	p, err := a.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	return a, p, args
}

// solved runs p with all chunks resident; a run without a result is a *DivergedError.
func solved(t testing.TB, random *rand.Rand, g *algorithms.Graph, p *algorithms.Program) (algorithms.Values,
	plugins.Iteration, error) {
	t.Helper()
	r := newRig(t, g, 1<<20)
	r.threads, r.stripes, r.columns = 1+random.IntN(3), 1+random.IntN(3), 1+random.IntN(2)
	if err := r.program(p); err != nil {
		t.Fatal(err)
	}
	r.chunks()
	if _, err := r.whole(); err != nil {
		t.Fatal(err)
	}
	last := *r.events[len(r.events)-1].Iteration
	got := r.column(algorithms.Column{Name: p.State[0].Name, Type: p.State[0].Type})
	settled := last.Active == 0 || p.Norm != algorithms.NoNorm && last.Change <= p.Tolerance
	return got, last, p.Divergence(got, last.Number, settled)
}

// checkGains goes once around a cycle by the best edges.
func checkGains(t testing.TB, title string, g *algorithms.Graph, name string, cycle []uint64) {
	t.Helper()
	sum, product := 0.0, 1.0
	sign := 1.0
	if name == "sssp" || name == "min-reliability" {
		sign = -1
	}
	for i, u := range cycle {
		v, best, found := uint32(cycle[(i+1)%len(cycle)]), 0.0, false
		for k := g.Out.Offsets[u]; k < g.Out.Offsets[u+1]; k++ {
			if w := g.Out.Columns["weight"][k]; g.Out.Neighbors[k] == v && (!found || sign*w > sign*best) {
				best, found = w, true
			}
		}
		if !found {
			t.Fatalf("%s: %v is no cycle: no edge leads from %d to %d", title, cycle, u, v)
		}
		sum, product = sum+best, product*best
	}
	gains := map[string]bool{"max-cost": sum > 0, "sssp": sum < 0, "max-reliability": product > 1,
		"min-reliability": product < 1, "num-paths": true}
	if !gains[name] {
		t.Fatalf("%s: %v does not gain", title, cycle)
	}
}

// A cycle that never settles is found at once, where iterations would go on as often as there are
// vertices; one that the source does not reach is none.
func TestTopological_FindsCyclesBeforehand(t *testing.T) {
	const n = 5000
	ids, list := make([]int64, n), []algorithms.Edge{}
	for v := range ids {
		ids[v] = int64(v)
		list = append(list, algorithms.Edge{Src: uint32(v), Dst: uint32((v + 1) % n),
			Weights: map[string]float64{"weight": 0.5}})
	}
	ring := algorithms.NewGraph(true, ids, list)
	list[n-1].Dst = n - 1 // a loop, which only it reaches from itself
	list[n-2].Weights["weight"] = 1
	random := rand.New(rand.NewPCG(8, 8))
	for _, name := range []string{"max-cost", "min-reliability", "num-paths"} {
		_, p, _ := pathProgram(t, ring, name, 17)
		_, last, err := solved(t, random, ring, p)
		var diverged *algorithms.DivergedError
		if !errors.As(err, &diverged) || last.Number != 1 || last.Cycle == nil || len(last.Cycle.Vertices) != n {
			t.Errorf("%s: %d iterations, %v; expected one, and the cycle", name, last.Number, err)
		}
	}
	behind := algorithms.NewGraph(true, ids, append(list[:n-2:n-2], list[n-1]))
	for _, name := range []string{"max-cost", "min-reliability", "num-paths"} {
		_, p, _ := pathProgram(t, behind, name, 17)
		if _, last, err := solved(t, random, behind, p); err != nil || last.Number != 1 {
			t.Errorf("%s: %d iterations, %v; expected one: the cycle is not reached", name, last.Number, err)
		}
	}
}
