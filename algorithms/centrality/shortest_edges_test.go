package centrality_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// On graphs so small that all paths can be gone along, one by one, betweenness by weights is which part of the shortest
// ones of each pair leads through a vertex.
func TestBetweenness_IsThatOfAllPaths(t *testing.T) {
	a, err := catalog.Lookup("betweenness")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 9))
		g := oracletest.RandomGraph(random, oracletest.Config{MaxVertices: 7, Directed: random.IntN(2) == 0,
			Weight: func(random *rand.Rand) float64 { return float64(1 + random.IntN(3)) }})
		if len(g.EdgeColumns()) == 0 {
			continue
		}
		want := make([]float64, g.N())
		for s := range g.N() {
			for t := range g.N() {
				through, all := shortestThrough(g, s, t)
				for v, paths := range through {
					if v != s && v != t && all > 0 {
						want[v] += paths / all
					}
				}
			}
		}
		got, err := a.Oracle(g, algorithms.Args{Directed: g.Directed, Strings: map[string]string{"weight": "weight"}})
		if err != nil {
			t.Fatal(err)
		}
		for v := range want {
			if !g.Directed {
				want[v] /= 2
			}
			if math.Abs(got[0].Floats[v]-want[v]) > 1e-9 {
				t.Fatalf("seed %d: %v; expected %v; graph %+v", seed, got[0].Floats, want, g)
			}
		}
	}
}

// shortestThrough goes along all paths from s to t that visit no vertex twice, and counts the shortest: all, and those
// through each vertex.
func shortestThrough(g *algorithms.Graph, s, t int) (through []float64, all float64) {
	least, on := math.Inf(1), make([]bool, g.N())
	through = make([]float64, g.N())
	var walk func(v int, length float64)
	walk = func(v int, length float64) {
		if on[v] = true; v == t {
			if length < least {
				least, all = length, 0
				clear(through)
			}
			if length == least {
				all++
				for u, is := range on {
					if is {
						through[u]++
					}
				}
			}
		} else {
			for k := g.Out.Offsets[v]; k < g.Out.Offsets[v+1]; k++ {
				if u := int(g.Out.Neighbors[k]); !on[u] {
					walk(u, length+g.Out.Columns["weight"][k])
				}
			}
		}
		on[v] = false
	}
	walk(s, 0)
	return through, all
}
