package centrality

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
)

// cascaded is a directed graph of edges, and what CELF finds in it.
func cascaded(t *testing.T, n int, edges [][2]int, args algorithms.Args) []algorithms.Values {
	t.Helper()
	result, err := celfOracle(directed(n, edges), args)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func directed(n int, edges [][2]int) *algorithms.Graph {
	g := &algorithms.Graph{Directed: true, Out: algorithms.Lists{Offsets: make([]int, n+1)}}
	for v := range n {
		g.IDs = append(g.IDs, int64(v))
		for _, e := range edges {
			if e[0] == v {
				g.Out.Neighbors = append(g.Out.Neighbors, uint32(e[1]))
			}
		}
		g.Out.Offsets[v+1] = len(g.Out.Neighbors)
	}
	return g
}

func cascadeArgs(seeds, worlds, seed int64, chance float64) algorithms.Args {
	return algorithms.Args{Ints: map[string]int64{seedSetSize: seeds, monteCarloSimulations: worlds, "seed": seed},
		Floats: map[string]float64{propagationProbability: chance}}
}

// How far something comes is on average what it is by the formula: from the middle of a star to one leaf in ten more;
// along two parallel edges with 1-(1-p)²; along a path with p, then p².
func TestCELF_SpreadsByChance(t *testing.T) {
	const leaves = 200
	var star [][2]int
	for leaf := range leaves {
		star = append(star, [2]int{0, leaf + 1})
	}
	for name, c := range map[string]struct {
		n      int
		edges  [][2]int
		chance float64
		mean   float64
		spread float64 // of what a world draws, the standard deviation
	}{
		"a star":         {leaves + 1, star, 0.1, 1 + leaves*0.1, math.Sqrt(leaves * 0.1 * 0.9)},
		"parallel edges": {2, [][2]int{{0, 1}, {0, 1}}, 0.3, 1 + 0.51, math.Sqrt(0.51 * 0.49)},
		"a path":         {3, [][2]int{{0, 1}, {1, 2}}, 0.5, 1.75, 0.83},
		"no chance":      {2, [][2]int{{0, 1}}, 0, 1, 0},
		"certainty":      {3, [][2]int{{0, 1}, {1, 2}}, 1, 3, 0},
	} {
		const worlds = 2000
		result := cascaded(t, c.n, c.edges, cascadeArgs(1, worlds, 1, c.chance))
		if got := result[0].Floats[0]; result[1].Ints[0] != 1 || math.Abs(got-c.mean) > 5*c.spread/math.Sqrt(worlds) {
			t.Errorf("%s: from the first vertex it comes to %v on average, not to %v", name, got, c.mean)
		}
	}
}

// What is found comes to at least 1-1/e of what the best set of as many comes to, in the same worlds. (Nemhauser,
// Wolsey, Fisher 1978.)
func TestCELF_IsNearTheBest(t *testing.T) {
	rng := testseed.Rand(t)
	for range 50 {
		n := 2 + rng.IntN(10)
		var edges [][2]int
		for range rng.IntN(4 * n) {
			edges = append(edges, [2]int{rng.IntN(n), rng.IntN(n)})
		}
		args := cascadeArgs(2, 1+rng.Int64N(8), rng.Int64N(100), 0.1+0.6*rng.Float64())
		g, c := directed(n, edges), NewCascade(args, n)
		found := 0.0
		for _, spread := range cascaded(t, n, edges, args)[0].Floats {
			found += spread
		}
		best := 0
		for a := range n {
			for b := range a {
				count := 0
				for world := range c.Worlds {
					open, reached := c.open(g, world), map[uint32]bool{}
					for _, v := range spreads(open, uint32(a), nil) {
						reached[v] = true
					}
					count += len(reached) + len(spreads(open, uint32(b), reached))
				}
				best = max(best, count)
			}
		}
		most := float64(best) / float64(c.Worlds)
		if found < (1-1/math.E)*most-1e-9 || found > most+1e-9 {
			t.Errorf("%d vertices, %v, %+v: two come to %v, the best two to %v", n, edges, c, found, most)
		}
	}
}
