package drawn

import (
	"math/rand/v2"

	"github.com/penstock-db/penstock/algorithms"
)

// Halves are the edges of g in two parts: those among some vertices and the rest, as a host
// would cut a dense core out, or as it happens.
func Halves(r *rand.Rand, g *algorithms.Graph) (core, rest *algorithms.Graph) {
	chosen := map[uint32]bool{}
	for _, v := range r.Perm(g.N())[:r.IntN(g.N()+1)] {
		chosen[uint32(v)] = true
	}
	isInside := func(e algorithms.Edge) bool { return chosen[e.Src] && chosen[e.Dst] }
	if r.IntN(2) == 0 {
		isInside = func(algorithms.Edge) bool { return r.IntN(2) == 0 }
	}
	var inside, outside []algorithms.Edge
	for _, e := range edges(g) {
		if isInside(e) {
			inside = append(inside, e)
		} else {
			outside = append(outside, e)
		}
	}
	return algorithms.NewGraph(g.Directed, g.IDs, inside), algorithms.NewGraph(g.Directed, g.IDs, outside)
}

// edges are those of g, each once.
func edges(g *algorithms.Graph) (all []algorithms.Edge) {
	for v := range g.N() {
		for k := g.Out.Offsets[v]; k < g.Out.Offsets[v+1]; k++ {
			u := g.Out.Neighbors[k]
			if !g.Directed && int(u) < v {
				continue
			}
			weights := map[string]float64{}
			for name, column := range g.Out.Columns {
				weights[name] = column[k]
			}
			all = append(all, algorithms.Edge{Src: uint32(v), Dst: u, Weights: weights})
		}
	}
	return all
}
