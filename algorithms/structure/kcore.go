package structure

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
)

// K-core gives each vertex its core number: the largest k for which it lies in a k-core,
// a subgraph where every vertex has at least k neighbors.
//
//	core(v) = max{ k : v ∈ S for some S with |N(u) ∩ S| ≥ k for all u ∈ S }
//
// As for triangles, neighbors are the other vertices that an edge joins v with:
// direction, parallel edges and loops are ignored. NetworkX and igraph agree on simple
// undirected graphs; on directed ones they count a pair of edges both ways as two.
// Seidman, "Network structure and minimum degree", 1983; Matula and Beck, 1983;
// Batagelj and Zaveršnik, 2003.
var KCore = &algorithms.Algorithm{
	Name:      "k-core",
	Aliases:   []string{"kcore", "core-number"},
	Summary:   "core number: the largest k of a k-core with the vertex in it",
	Source:    "Matula and Beck 1983; Batagelj and Zaveršnik 2003",
	Result:    []algorithms.Column{{Name: "core", Type: algorithms.Int}},
	Yield:     "coreValue",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    kcoreOracle,
	Verify:    verifyKCore,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		largest := int64(0)
		for _, core := range result[0].Ints {
			largest = max(largest, core)
		}
		return []algorithms.Figure{{Name: "largest core number", Value: largest}}
	},
}

// kcoreOracle removes a vertex of the least degree, over and over. (Matula and Beck 1983.)
func kcoreOracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	neighbors := neighborhood.All(g)
	degree, core := make([]int64, g.N()), make([]int64, g.N())
	left := make([]int, g.N())
	for v := range left {
		left[v], degree[v] = v, int64(len(neighbors[v]))
	}
	for k := int64(0); len(left) > 0; {
		least := 0
		for i, v := range left {
			if degree[v] < degree[left[least]] {
				least = i
			}
		}
		v := left[least]
		left[least] = left[len(left)-1]
		left = left[:len(left)-1]
		k = max(k, degree[v])
		core[v] = k
		for _, u := range neighbors[v] {
			degree[u]--
		}
	}
	return answer.Ints("core", algorithms.Int, core), nil
}

// verifyKCore checks that a vertex has as many neighbors of its core number or a higher
// one as that says, which makes no number too large; and that none is too small: with
// vertices removed in ascending order of theirs, each has at most so many left.
func verifyKCore(g *algorithms.Graph, _ algorithms.Args, result []algorithms.Values) error {
	column, err := answer.Sole(g, result, algorithms.Int)
	if err != nil {
		return err
	}
	core, neighbors := column.Ints, neighborhood.All(g)
	for v := range core {
		if within := countCore(core, neighbors[v], core[v]); within < core[v] || core[v] < 0 {
			return answer.WrongAt(g, v, "core number %d, but only %d neighbors have at least that", core[v], within)
		}
	}
	if v, left := stuck(core, neighbors); v >= 0 {
		return answer.WrongAt(g, v, "core number %d, but it lies in a core where all have more: %d neighbors there", core[v],
			left)
	}
	return nil
}

// countCore counts the vertices whose core number is at least k.
func countCore(core []int64, vertices []uint32, k int64) (count int64) {
	for _, u := range vertices {
		if core[u] >= k {
			count++
		}
	}
	return count
}

// stuck removes vertices once no more neighbors are left than their core number says.
// It names one that this never removes and how many neighbors it has left, or -1.
func stuck(core []int64, neighbors [][]uint32) (vertex int, left int64) {
	degree, removed := make([]int64, len(core)), make([]bool, len(core))
	var ready []int
	for v := range core {
		if degree[v] = int64(len(neighbors[v])); degree[v] <= core[v] {
			ready = append(ready, v)
		}
	}
	for len(ready) > 0 {
		v := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		removed[v] = true
		for _, u := range neighbors[v] {
			if degree[u]--; degree[u] == core[u] {
				ready = append(ready, int(u))
			}
		}
	}
	for v := range removed {
		if !removed[v] {
			return v, degree[v]
		}
	}
	return -1, 0
}
