package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// band is a graph whose edges lead to near vertices, beside those of a hub, whose list has several segments.
func band(random *rand.Rand, n int, directed bool) *algorithms.Graph {
	ids, list := make([]int64, n), []algorithms.Edge{}
	edge := func(u, v int) {
		list = append(list, algorithms.Edge{Src: uint32(u), Dst: uint32(v),
			Weights: map[string]float64{"weight": 1, "share": random.Float64() / 8}})
	}
	for v := range ids {
		ids[v] = int64(v)
		for range random.IntN(5) {
			edge(v, min(max(v+random.IntN(80)-30, 0), n-1))
		}
		if directed && v > n/2 {
			edge(v, n-7)
		}
	}
	return algorithms.NewGraph(directed, ids, list)
}

// spreading are programs that sum what spreads from one vertex, or soon from all.
func spreading(t testing.TB, source int64) map[string]*algorithms.Program {
	sum := func(init, process, apply string, iterations int) *algorithms.Program {
		p := &algorithms.Program{Process: algorithms.Expr{Source: process}, Reduce: algorithms.Sum,
			Activity: algorithms.Always, Norm: algorithms.LInf, MaxIterations: iterations, Exactly: iterations > 0,
			State: []algorithms.State{{Name: "x", Type: algorithms.Float, Init: algorithms.Expr{Source: init},
				Apply: algorithms.Expr{Source: apply}}}}
		if iterations == 0 {
			p.MaxIterations, p.Norm, p.Tolerance = 60, algorithms.L1, 1e-7
		}
		return p
	}
	start := fmt.Sprintf("id == %d ? 1.0 : 0.0", source)
	a, err := catalog.Lookup("adsorption")
	if err != nil {
		t.Fatal(err)
	}
	adsorption, err := a.Program(algorithms.Args{Directed: true, Ints: map[string]int64{"source": source},
		Floats: map[string]float64{"lambda": 0.85, "tolerance": 1e-6}, Strings: map[string]string{"weight": ""}})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*algorithms.Program{
		"adsorption":      adsorption,
		"weighted":        sum(start, "src.x * edge.share", "0.5 * acc + (self."+start+")", 0),
		"a share of each": sum(start, "src.x / double(src.out_degree + 1)", "acc + (self."+start+")", 0),
		"walks":           sum(start, "src.x", "acc", 50),
		"infinite":        sum(strings.Replace(start, "1.0", "inf", 1), "src.x", "acc", 20),
		"soon all":        sum(start, "src.x", "acc + 1.0", 9),
		"nowhere":         sum("0.0", "src.x", "acc", 9),
	}
}

// Whatever spreads gets the bits that steps over all edges give, and as many iterations, by fewer edges.
func TestIncremental_SameBitsByFewerEdges(t *testing.T) {
	random := testseed.Rand(t)
	for _, directed := range long.Draw(t, []bool{true, false}, 1) {
		g := band(random, 90_000, directed)
		for name, p := range spreading(t, int64(random.IntN(40_000))) {
			title := fmt.Sprintf("%s, directed %v", name, directed)
			steps := newRig(t, g, 16<<20)
			steps.stripes, steps.columns = 2, 2
			want, wantIterations := steps.result(p, true)
			for _, threads := range []int{1, 3} {
				r := newRig(t, g, 16<<20)
				r.threads, r.stripes, r.columns = threads, steps.stripes, steps.columns
				got, iterations := r.result(p, false)
				if !strings.HasPrefix(r.plan.Kernel, "changed blocks; ") || iterations != wantIterations {
					t.Fatalf("%s: %d iterations by %q; expected %d", title, iterations, r.plan.Kernel, wantIterations)
				}
				identical(t, got, want)
				each := uint64(len(g.In.Neighbors))
				most := each + uint64(iterations)*each/2 // all in the first iteration, and half of all after it
				if edges := r.events[len(r.events)-1].Edges; name != "soon all" && edges > most {
					t.Errorf("%s: %d edges in %d iterations; expected at most %d", title, edges, iterations, most)
				}
			}
		}
	}
}
