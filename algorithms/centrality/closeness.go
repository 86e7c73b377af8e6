package centrality

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
)

// Closeness is how near a vertex is to those that it can be reached from: their number by the sum of their distances.
//
//	closeness(v) = r / Σ d(u, v),   r = |{u ≠ v : v can be reached from u}|;   0 where r is
//	Wasserman and Faust: · r/(n-1)
//
// Distances are numbers of edges, along their direction, as in NetworkX and Neo4j GDS. Wasserman's and Faust's factor
// makes vertices of small components comparable with others. Breadth-first searches from all vertices, 64 at a time:
// O(n·m/64) words where searches overlap. Sabidussi, 1966; Wasserman and Faust, "Social network analysis", 1994.
var Closeness = &algorithms.Algorithm{
	Name:    "closeness",
	Aliases: []string{"closeness-centrality"},
	Summary: "closeness centrality: how near a vertex is to others",
	Source:  "Sabidussi 1966; Wasserman and Faust 1994; Then et al. 2014",
	Params: []algorithms.Param{{Name: "wasserman", Type: algorithms.ParamChoice, Choices: []string{"true", "false"},
		Default: "false",
		Doc:     "true: by Wasserman and Faust, times the share of vertices that it can be reached from"}},
	Result:    []algorithms.Column{{Name: "closeness", Type: algorithms.Float}},
	Yield:     "score",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle: func(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
		return answer.Floats("closeness", distanceSums(g, func(reached, distances, _ float64) float64 {
			return closenessOf(reached, distances, g.N(), args)
		})), nil
	},
}

// Harmonic centrality is the mean of the inverses of distances, 0 from where a vertex cannot be reached:
//
//	harmonic(v) = 1/(n-1) · Σ { 1/d(u, v) : u ≠ v }
//
// Distances are numbers of edges, along their direction. NetworkX does not divide by n-1; Neo4j GDS does. Searches as
// in closeness. Marchiori and Latora, "Harmony in the small-world", 2000.
var Harmonic = &algorithms.Algorithm{
	Name:      "harmonic",
	Aliases:   []string{"harmonic-centrality"},
	Summary:   "harmonic centrality: mean of inverse distances to a vertex",
	Source:    "Marchiori and Latora 2000; Then et al. 2014",
	Result:    []algorithms.Column{{Name: "harmonic", Type: algorithms.Float}},
	Yield:     "score",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle: func(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
		return answer.Floats("harmonic", distanceSums(g, func(_, _, inverses float64) float64 {
			return inverses / float64(max(g.N()-1, 1))
		})), nil
	},
}

func init() {
	Closeness.Verify, Harmonic.Verify = answer.Again(Closeness.Oracle), answer.Again(Harmonic.Oracle)
}

// closenessOf is what comes of how many vertices reach one, and the sum of their distances.
func closenessOf(reached, distances float64, n int, args algorithms.Args) float64 {
	switch {
	case reached == 0:
		return 0
	case args.Strings["wasserman"] == "true":
		return reached / distances * (reached / float64(n-1))
	}
	return reached / distances
}

// distanceSums searches from every vertex, and makes a value of how many reach each, the sum of their distances and
// that of the inverses.
func distanceSums(g *algorithms.Graph, value func(reached, distances, inverses float64) float64) []float64 {
	reached, distances, inverses := make([]float64, g.N()), make([]float64, g.N()), make([]float64, g.N())
	for source := range reached {
		for v, d := range hopsFrom(g, source) {
			if d > 0 {
				reached[v]++
				distances[v] += float64(d)
				inverses[v] += 1 / float64(d)
			}
		}
	}
	values := make([]float64, g.N())
	for v := range values {
		values[v] = value(reached[v], distances[v], inverses[v])
	}
	return values
}

// hopsFrom is how many edges away each vertex is; -1: it is not reached.
func hopsFrom(g *algorithms.Graph, source int) []int {
	hops, order := slices.Repeat([]int{-1}, g.N()), []int{source}
	hops[source] = 0
	for i := 0; i < len(order); i++ {
		for _, v := range g.Out.Of(order[i]) {
			if hops[v] < 0 {
				hops[v] = hops[order[i]] + 1
				order = append(order, int(v))
			}
		}
	}
	return hops
}
