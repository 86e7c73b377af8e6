// Routes is a plugin of a third party whose algorithm reads vectors of vertices, and whose result is paths: greedy
// routes to a vertex. See examples/algorithm for where to begin.
//
//	go build -o routes ./examples/routes
//	penstock plugin install ./routes
//	penstock run --db DIR --graph GRAPH greedy-route --param at=PROPERTY --param target=ID
package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/algorithm"
)

func main() {
	algorithm.Serve(algorithm.Plugin{Name: "routes", Version: "1.0.0", Algorithms: []algorithm.Algorithm{greedyRoute}})
}

// greedyRoute goes from each vertex along edges to the neighbor that is nearest to the target, as long as that is
// nearer than where it is. Further routes of a vertex begin with its second nearest neighbor, and so on. (Kleinberg,
// "Navigation in a small world", Nature 2000.)
var greedyRoute = algorithm.Algorithm{
	Definition: algorithms.Definition{
		Name: "greedy-route", Summary: "routes to a vertex, each step nearer to it", Source: "Kleinberg 2000",
		Params: []algorithms.ParamDefinition{
			{Name: "at", Type: "vectors", Doc: "the vertex property that says where each vertex is"},
			{Name: "target", Type: "vertex", Doc: "where routes lead to"},
			{Name: "routes", Type: "int", Default: "1", Min: 1, Max: 16, Doc: "from each vertex, at most"},
			{Name: "length", Type: "int", Default: "16", Min: 2, Max: 1000, Doc: "vertices of a route, at most"},
		},
		Result: []algorithms.ResultColumn{{Name: "route", Type: "vertex", Width: "routes", Steps: "length"}},
		Edges:  "forward",
	},
	Compute: func(ctx context.Context, g *algorithm.Graph, args algorithms.Args, result []algorithms.Values) error {
		at, routes := g.Vectors("at"), result[0]
		target := at.Of(g.Vertex(args.Ints["target"]))
		far := func(v int) float64 { return squaredDistance(at.Of(v), target) }
		// nearer are the neighbors that are nearer to the target than v, the nearest first.
		nearer := func(v int) (all []int) {
			here := far(v)
			for u := range g.Out(v).All() {
				if far(u) < here {
					all = append(all, u)
				}
			}
			slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(far(a), far(b)) })
			return slices.Compact(all) // parallel edges stand side by side
		}
		return g.ForEach(ctx, func(v int) {
			firsts := nearer(v)
			for k, u := range firsts[:min(len(firsts), routes.Per()/routes.Path)] {
				route := routes.Ints[v*routes.Per()+k*routes.Path:][:routes.Path]
				route[0] = g.ID(v)
				for i := 1; i < len(route); i++ {
					route[i] = g.ID(u)
					next := nearer(u)
					if len(next) == 0 {
						break
					}
					u = next[0]
				}
			}
		})
	},
}

func squaredDistance(a, b []float32) (square float64) {
	for k := range a {
		d := float64(a[k]) - float64(b[k])
		square += d * d
	}
	return square
}
