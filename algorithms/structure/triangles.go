package structure

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
)

// Triangles counts, for each vertex, the triangles it is a corner of: pairs of its
// neighbors that are neighbors themselves. Direction, parallel edges and loops are
// ignored. The graph's triangles are a third of the sum. Vertices of more than maxDegree
// edges, all of them counted, are left out with their triangles, and get -1, as in Neo4j
// GDS. Schank and Wagner, "Finding, counting and listing all triangles in large graphs",
// 2005.
var Triangles = &algorithms.Algorithm{
	Name:    "triangles",
	Aliases: []string{"tc"},
	Summary: "triangles at each vertex and in all",
	Source:  "Schank and Wagner 2005",
	Params: []algorithms.Param{{Name: maxDegree, Type: algorithms.ParamInt, Optional: true, Min: 1, Max: math.MaxInt64,
		Doc: "leave out vertices of more edges than this, which get -1; without it, none"}},
	Result:    []algorithms.Column{{Name: "triangles", Type: algorithms.Int}},
	Yield:     "triangleCount",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    trianglesOracle,
	Verify:    verifyTriangles,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		corners := int64(0)
		for _, count := range result[0].Ints {
			corners += max(0, count)
		}
		return []algorithms.Figure{{Name: "triangles", Value: corners / 3}}
	},
}

const maxDegree = "maxDegree"

// leftOut is the count at a vertex of more edges than maxDegree.
const leftOut = -1

// MaxDegree is how many edges a vertex may have that is not left out.
func MaxDegree(args algorithms.Args) int64 {
	if most, given := args.Ints[maxDegree]; given {
		return most
	}
	return math.MaxInt64
}

// bounded are the neighbors of vertices that have no more edges than maxDegree; of others there are none, and they are
// nobody's.
func bounded(g *algorithms.Graph, args algorithms.Args) (neighbors [][]uint32, excludes func(v uint32) bool) {
	excludes = func(v uint32) bool {
		edges := len(g.Out.Of(int(v)))
		if g.Directed {
			edges += len(g.In.Of(int(v)))
		}
		return int64(edges) > MaxDegree(args)
	}
	neighbors = neighborhood.All(g)
	for v := range neighbors {
		if neighbors[v] = slices.DeleteFunc(neighbors[v], excludes); excludes(uint32(v)) {
			neighbors[v] = nil
		}
	}
	return neighbors, excludes
}

// trianglesOracle asks of every pair of neighbors whether they are neighbors.
func trianglesOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	neighbors, excludes := bounded(g, args)
	count := make([]int64, g.N())
	for v := range count {
		if excludes(uint32(v)) {
			count[v] = leftOut
		}
		for i, u := range neighbors[v] {
			for _, w := range neighbors[v][:i] {
				if neighborhood.Contains(neighbors[u], w) {
					count[v]++
				}
			}
		}
	}
	return answer.Ints("triangles", algorithms.Int, count), nil
}

// verifyTriangles counts each triangle once, at the edge between its two smallest
// corners, and gives it to all three.
func verifyTriangles(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	got, err := answer.Sole(g, result, algorithms.Int)
	if err != nil {
		return err
	}
	neighbors, excludes := bounded(g, args)
	count := make([]int64, g.N())
	for u := range neighbors {
		if excludes(uint32(u)) {
			count[u] = leftOut
		}
		for _, v := range neighbors[u] {
			neighborhood.Intersect(neighbors[u], neighbors[v], func(w uint32) {
				if u < int(v) && v < w {
					count[u]++
					count[v]++
					count[w]++
				}
			})
		}
	}
	return answer.Matches(g, got, answer.Ints("triangles", algorithms.Int, count)[0])
}
