// Algorithm is a plugin of a third party that brings an algorithm: the average degree of a vertex' neighbors. Copy it,
// keep the test passing, and replace what is computed. docs/plugins/algorithms.md tells the rest.
//
//	go build -o neighbors ./examples/algorithm
//	penstock plugin install ./neighbors
//	penstock run --db DIR --graph GRAPH neighbor-degree
package main

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/algorithm"
)

func main() {
	algorithm.Serve(algorithm.Plugin{Name: "neighbors", Version: "1.0.0", Algorithms: []algorithm.Algorithm{neighborDegree}})
}

// neighborDegree is the mean of what the vertices at the end of a vertex' edges have as their degree. With weights w it
// is the weighted mean; a vertex without edges has 0. (Barrat et al., "The architecture of complex weighted networks",
// PNAS 2004, equation 9.)
//
//	k(v) = Σ w(v,u)·degree(u) / Σ w(v,u), over the edges v → u
var neighborDegree = algorithm.Algorithm{
	Definition: algorithms.Definition{
		Name: "neighbor-degree", Summary: "average degree of the neighbors", Source: "Barrat et al. 2004, equation 9",
		Params: []algorithms.ParamDefinition{
			{Name: "weight", Type: "property", Default: "weight", Optional: true, Doc: "how much an edge counts; without it, 1"},
		},
		Result: []algorithms.ResultColumn{{Name: "degree", Type: "float"}},
		Edges:  "forward",
	},
	Compute: func(ctx context.Context, g *algorithm.Graph, _ algorithms.Args, result []algorithms.Values) error {
		return g.ForEach(ctx, func(v int) {
			sum, weights := 0.0, 0.0
			for u, w := range g.Out(v).All() {
				sum += w * float64(g.OutDegree(u))
				weights += w
			}
			if weights != 0 {
				result[0].Floats[v] = sum / weights
			}
		})
	},
}
