package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
)

// Triangles and lcc agree with their oracles where the matrix of the hubs ends at a word,
// within the graph or with it, or is empty; and where no list is long.
func TestCorners_MatrixBoundaries(t *testing.T) {
	for seed, shape := range []struct{ vertices, edges, clique int }{
		{60, 100, 40},   // more edges than a word of hubs needs, but too few vertices
		{63, 2000, 0},   // the same
		{64, 2000, 0},   // a word of hubs: all vertices
		{65, 2000, 0},   // all but one
		{200, 300, 12},  // a word, few of the vertices
		{300, 400, 25},  // two words
		{129, 3000, 30}, // all but one
		{300, 100, 5},   // short lists
		{300, 900, 6},   // short lists, if the graph is undirected
	} {
		for _, directed := range []bool{false, true} {
			random := rand.New(rand.NewPCG(uint64(seed), 6))
			g := cliqued(random, shape.vertices, shape.edges, shape.clique, directed)
			for _, name := range []string{"triangles", "lcc"} {
				a, err := catalog.Lookup(name)
				if err != nil {
					t.Fatal(err)
				}
				t.Run(fmt.Sprintf("%s, %+v, directed %v", name, shape, directed), func(t *testing.T) { compareProcedure(t, g, a) })
			}
		}
	}
}

// cliqued is random edges, some of them loops or parallel, and a clique.
func cliqued(random *rand.Rand, n, edges, clique int, directed bool) *algorithms.Graph {
	var list []algorithms.Edge
	for range edges {
		e := algorithms.Edge{Src: random.Uint32N(uint32(n)), Dst: random.Uint32N(uint32(n))}
		list = append(list, e)
		if random.IntN(4) == 0 {
			list = append(list, e, algorithms.Edge{Src: e.Dst, Dst: e.Src}, algorithms.Edge{Src: e.Src, Dst: e.Src})
		}
	}
	members := random.Perm(n)[:clique]
	for i, u := range members {
		for _, v := range members[:i] {
			list = append(list, algorithms.Edge{Src: uint32(u), Dst: uint32(v)})
		}
	}
	return algorithms.NewGraph(directed, shuffledIDs(random, n), list)
}
