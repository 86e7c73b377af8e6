package structure

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
	"github.com/penstock-db/penstock/algorithms/internal/vector"
)

// LCC is the local clustering coefficient: of the pairs of v's neighbors, the share that
// an edge joins.
//
//	N(v) = {u ≠ v : u→v or v→u}
//	LCC(v) = |{(u,w) : u,w ∈ N(v), u→w}| / (|N(v)|·(|N(v)|-1)),  0 where |N(v)| ≤ 1
//
// The pairs are ordered: in a directed graph an edge from u to w counts once, in an
// undirected one twice. Parallel edges count once and loops not at all. Watts and
// Strogatz, 1998; LDBC Graphalytics 1.0.1, section 2.3.5.
var LCC = &algorithms.Algorithm{
	Name:      "lcc",
	Aliases:   []string{"clustering"},
	Summary:   "local clustering coefficient",
	Source:    "Watts and Strogatz 1998; LDBC Graphalytics 1.0.1, 2.3.5",
	Result:    []algorithms.Column{{Name: "coefficient", Type: algorithms.Float}},
	Yield:     "localClusteringCoefficient",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    lccOracle,
	Verify:    verifyLCC,
	Measures: func(result []algorithms.Values) []algorithms.Measure {
		return []algorithms.Measure{{Name: "mean coefficient",
			Value: vector.Sum(result[0].Floats) / float64(max(1, len(result[0].Floats)))}}
	},
}

// lccOracle asks of every ordered pair of neighbors whether there is an edge.
func lccOracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	coefficient := make([]float64, g.N())
	for v, neighbors := range neighborhood.All(g) {
		edges := 0
		for _, u := range neighbors {
			for _, w := range neighbors {
				if u != w && neighborhood.Contains(g.Out.Of(int(u)), w) {
					edges++
				}
			}
		}
		coefficient[v] = share(edges, len(neighbors))
	}
	return answer.Floats("coefficient", coefficient), nil
}

// share is the part of the k·(k-1) ordered pairs that edges are.
func share(edges, k int) float64 {
	if k < 2 {
		return 0
	}
	return float64(edges) / (float64(k) * float64(k-1))
}

// verifyLCC counts from the other side: every edge u→w closes one pair at each common
// neighbor of u and w.
func verifyLCC(g *algorithms.Graph, _ algorithms.Args, result []algorithms.Values) error {
	got, err := answer.Sole(g, result, algorithms.Float)
	if err != nil {
		return err
	}
	neighbors := neighborhood.All(g)
	closed := make([]int, g.N())
	for u := range g.IDs {
		for _, w := range neighborhood.Of(u, g.Out.Of(u)) {
			neighborhood.Intersect(neighbors[u], neighbors[w], func(v uint32) { closed[v]++ })
		}
	}
	for v, x := range got.Floats {
		if want := share(closed[v], len(neighbors[v])); !answer.Near(x, want) {
			return answer.WrongAt(g, v, "coefficient %v, but %d edges join its %d neighbors: %v", x, closed[v],
				len(neighbors[v]), want)
		}
	}
	return nil
}
