package structure

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
)

// KTruss gives each vertex the largest k for which an edge of it lies in a k-truss: a subgraph each of whose edges is
// in k-2 triangles of it, at least.
//
//	truss(v) = max{ k : an edge {v, u} ∈ T for some T ⊆ E, where each edge of T is in k-2 triangles of T or more }
//
// It is 0 without edges, and 2 where no triangle has the vertex. Direction, parallel edges and loops do not count.
// O(Σ min(d(u), d(v)) · log n) over edges {u, v}, so O(m^1.5 · log n) at most. Cohen, "Trusses: cohesive subgraphs for
// social network analysis", 2008; Wang and Cheng, "Truss decomposition in massive networks", 2012.
var KTruss = &algorithms.Algorithm{
	Name:      "k-truss",
	Aliases:   []string{"ktruss", "truss-number"},
	Summary:   "truss number: the largest k of a k-truss with an edge of the vertex",
	Source:    "Cohen 2008; Wang and Cheng 2012",
	Result:    []algorithms.Column{{Name: "truss", Type: algorithms.Int}},
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    trussOracle,
	Verify: func(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
		column, err := answer.Sole(g, result, algorithms.Int)
		if err != nil {
			return err
		}
		return verifyTrusses(g, column.Ints)
	},
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		largest := int64(0)
		for _, k := range result[0].Ints {
			largest = max(largest, k)
		}
		return []algorithms.Figure{{Name: "largest truss number", Value: largest}}
	},
}

// trussOracle takes edges of too few triangles away, over and over, for one k after the other.
func trussOracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	left, truss := neighborhood.All(g), make([]int64, g.N())
	for k, any := int64(2), true; any; k++ {
		for again := true; again; {
			left, again = strongEdges(left, k)
		}
		any = false
		for v, near := range left {
			if len(near) > 0 {
				truss[v], any = k, true
			}
		}
	}
	return answer.Ints("truss", algorithms.Int, truss), nil
}

// strongEdges are those in at least k-2 triangles, and whether there were others.
func strongEdges(neighbors [][]uint32, k int64) (strong [][]uint32, weaker bool) {
	strong = make([][]uint32, len(neighbors))
	for v, near := range neighbors {
		for _, u := range near {
			common := int64(0)
			neighborhood.Intersect(near, neighbors[u], func(uint32) { common++ })
			if common >= k-2 {
				strong[v] = append(strong[v], u)
			} else {
				weaker = true
			}
		}
	}
	return strong, weaker
}

// verifyTrusses checks, of each number k of the result, and of the one after it, that exactly the vertices with that
// number or a larger one have edges in the largest k-truss. It comes to that by a worklist of edges.
func verifyTrusses(g *algorithms.Graph, truss []int64) error {
	checked := map[int64]bool{}
	for v := range truss {
		for _, k := range []int64{truss[v], truss[v] + 1} {
			if checked[k] {
				continue
			}
			checked[k] = true
			inside := largestTruss(neighborhood.All(g), k)
			for u := range truss {
				if has := len(inside[u]) > 0; k > 0 && has != (truss[u] >= max(k, 2)) {
					return answer.WrongAt(g, u, "truss number %d, but edges in the largest %d-truss: %v", truss[u], k, has)
				}
			}
		}
		if truss[v] < 0 || truss[v] == 1 {
			return answer.WrongAt(g, v, "truss number %d", truss[v])
		}
	}
	return nil
}

// largestTruss are, of each vertex, the neighbors by edges of the largest k-truss.
func largestTruss(neighbors [][]uint32, k int64) []map[uint32]bool {
	left := make([]map[uint32]bool, len(neighbors))
	var edges [][2]uint32
	for v, near := range neighbors {
		left[v] = map[uint32]bool{}
		for _, u := range near {
			left[v][u] = true
			edges = append(edges, [2]uint32{uint32(v), u})
		}
	}
	for len(edges) > 0 {
		v, u := edges[len(edges)-1][0], edges[len(edges)-1][1]
		edges = edges[:len(edges)-1]
		var common []uint32
		for w := range left[v] {
			if left[u][w] {
				common = append(common, w)
			}
		}
		if !left[v][u] || int64(len(common)) >= k-2 {
			continue
		}
		delete(left[v], u)
		delete(left[u], v)
		for _, w := range common {
			edges = append(edges, [2]uint32{v, w}, [2]uint32{u, w})
		}
	}
	return left
}
