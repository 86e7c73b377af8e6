package centrality

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// outWeight is what programs call the weights of a vertex's out-edges, together.
const outWeight = "out_weight"

// dividedParam is the weight of programs whose vertices divide what they have among their out-edges.
func dividedParam() algorithms.Param {
	return param.OwnWeight("what a vertex divides what it passes on by, among its out-edges; below 0 it counts nothing")
}

// divided is the message of a vertex that divides one of its columns among its out-edges: alike, or by their weights.
func divided(args algorithms.Args, column string) string {
	if args.Strings["weight"] == "" {
		return "src." + column + " / double(src.out_degree)"
	}
	return "(src.out_weight > 0.0 ? src." + column + " / src.out_weight : 0.0) * " + counted(args)
}

// counted is what the weight of an edge counts, where those below 0 count nothing.
func counted(args algorithms.Args) string { return "max(" + argument.Weight(args) + ", 0.0)" }

// dangling asks whether a vertex passes nothing on.
func dangling(args algorithms.Args) string {
	if args.Strings["weight"] == "" {
		return "self.out_degree == 0"
	}
	return "self.out_weight == 0.0"
}

// weighted gives p what it reads where a weight is named. Weights of almost nothing make infinities, which are
// an error.
func weighted(args algorithms.Args, p *algorithms.Program) *algorithms.Program {
	if name := args.Strings["weight"]; name != "" {
		p.Properties, p.Finite = []algorithms.Property{{Name: outWeight, Type: algorithms.Float, Sums: name}}, true
	}
	return p
}

// division is how vertices divide what they have, for oracles.
type division struct {
	totals  []float64 // of each vertex: how many out-edges, or their weights
	weights []float64 // of each edge that leads in
}

func divisionOf(g *algorithms.Graph, args algorithms.Args) division {
	name := args.Strings["weight"]
	return division{totals: g.OutWeight(name), weights: g.In.Weights(name)}
}

// along is what u, which has x, passes on along the k-th edge that leads in.
func (d division) along(k int, u uint32, x float64) float64 {
	if d.totals[u] == 0 {
		return 0
	}
	return x / d.totals[u] * max(d.weights[k], 0)
}
