package algorithms

// Triangles counts, for each vertex, the triangles it is a corner of: pairs of its
// neighbors that are neighbors themselves. Direction, parallel edges and loops are
// ignored. The graph's triangles are a third of the sum. Schank and Wagner, "Finding,
// counting and listing all triangles in large graphs", 2005.
var triangles = &Algorithm{
	Name:      "triangles",
	Aliases:   []string{"tc"},
	Summary:   "triangles at each vertex and in all",
	Source:    "Schank and Wagner 2005",
	Result:    []Column{{Name: "triangles", Type: Int}},
	Yield:     "triangleCount",
	Procedure: &Procedure{Edges: BothSides, Adjacency: true, EdgeColumns: noEdgeColumns},
	Oracle:    trianglesOracle,
	Verify:    verifyTriangles,
	Figures: func(result []Values) []Figure {
		corners := int64(0)
		for _, count := range result[0].Ints {
			corners += count
		}
		return []Figure{{"triangles", corners / 3}}
	},
}

// trianglesOracle asks of every pair of neighbors whether they are neighbors.
func trianglesOracle(g *Graph, _ Args) ([]Values, error) {
	neighbors := neighborhoods(g)
	count := make([]int64, g.N())
	for v := range count {
		for i, u := range neighbors[v] {
			for _, w := range neighbors[v][:i] {
				if contains(neighbors[u], w) {
					count[v]++
				}
			}
		}
	}
	return intResult("triangles", Int, count), nil
}

// verifyTriangles counts each triangle once, at the edge between its two smallest
// corners, and gives it to all three.
func verifyTriangles(g *Graph, _ Args, result []Values) error {
	got, err := sole(g, result, Int)
	if err != nil {
		return err
	}
	neighbors := neighborhoods(g)
	count := make([]int64, g.N())
	for u := range neighbors {
		for _, v := range neighbors[u] {
			intersect(neighbors[u], neighbors[v], func(w uint32) {
				if u < int(v) && v < w {
					count[u]++
					count[v]++
					count[w]++
				}
			})
		}
	}
	return matches(g, got, intResult("triangles", Int, count)[0])
}
