// Ties is a plugin of a third party whose result is a table: a row for each edge, and not for each vertex. See
// examples/algorithm for where to begin.
//
//	go build -o ties ./examples/ties
//	penstock plugin install ./ties
//	penstock run --db DIR --graph GRAPH tie-overlap --out ties.csv
package main

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/algorithm"
)

func main() {
	algorithm.Serve(algorithm.Plugin{Name: "ties", Version: "1.0.0", Algorithms: []algorithm.Algorithm{tieOverlap}})
}

// tieOverlap is how much the surroundings of the ends of an edge have in common. N(v) are those that the edges of v
// lead to, without v and the other end; parallel edges are one, and loops none. (Onnela et al., "Structure and tie strengths
// in mobile communication networks", PNAS 2007.)
//
//	overlap(v,u) = |N(v) ∩ N(u)| / |N(v) ∪ N(u)|, 0 where both are empty
var tieOverlap = algorithm.Algorithm{
	Definition: algorithms.Definition{
		Name: "tie-overlap", Summary: "neighbors that the ends of each edge have in common", Source: "Onnela et al. 2007",
		Result: []algorithms.ResultColumn{{Name: "source", Type: "vertex"}, {Name: "target", Type: "vertex"},
			{Name: "common", Type: "int"}, {Name: "overlap", Type: "float"}},
		Rows:  "edges", // at most
		Edges: "forward",
	},
	Compute: func(ctx context.Context, g *algorithm.Graph, _ algorithms.Args, result []algorithms.Values) error {
		err := g.ForEach(ctx, func(v int) {
			near := neighbors(g, v)
			for _, u := range near {
				if u < v && !g.Directed {
					continue // it is the same edge
				}
				row, err := g.NewRow()
				if err != nil {
					return // so does the run
				}
				common, all := overlap(near, neighbors(g, u), v, u)
				result[0].Ints[row], result[1].Ints[row], result[2].Ints[row] = g.ID(v), g.ID(u), common
				if all > 0 {
					result[3].Floats[row] = float64(common) / float64(all)
				}
			}
		})
		g.SortRows()
		return err
	},
}

// neighbors are those of v, in ascending order.
func neighbors(g *algorithm.Graph, v int) (near []int) {
	for u := range g.Out(v).All() {
		if u != v {
			near = append(near, u)
		}
	}
	return slices.Compact(near) // parallel edges stand side by side
}

// overlap is how many vertices are in both of two ascending lists, and how many in any, without the ends of an edge.
func overlap(a, b []int, v, u int) (both, all int64) {
	for len(a) > 0 || len(b) > 0 {
		var next int
		inA := len(b) == 0 || len(a) > 0 && a[0] <= b[0]
		inB := len(a) == 0 || len(b) > 0 && b[0] <= a[0]
		if inA {
			next, a = a[0], a[1:]
		}
		if inB {
			next, b = b[0], b[1:]
		}
		if next == v || next == u {
			continue
		}
		if all++; inA && inB {
			both++
		}
	}
	return both, all
}
