package algorithms

import "maps"

// outWeight is what programs call the weights of a vertex's out-edges, together.
const outWeight = "out_weight"

// OutWeight is the sum of an edge property over the edges that lead out of each vertex; values below 0 count nothing.
func (g *Graph) OutWeight(property string) []float64 {
	sums, weights := make([]float64, g.N()), g.Out.weights(property)
	for v := range sums {
		for k := g.Out.Offsets[v]; k < g.Out.Offsets[v+1]; k++ {
			sums[v] += max(weights[k], 0)
		}
	}
	return sums
}

// withSums is g with those properties of p that are sums.
func (g *Graph) withSums(p *Program) *Graph {
	own := *g
	own.Properties = maps.Clone(g.Properties)
	for _, sums := range p.Properties {
		if sums.Sums == "" {
			continue
		}
		if own.Properties == nil {
			own.Properties = map[string]Values{}
		}
		own.Properties[sums.Name] = Values{Column: sums.Column(), Floats: g.OutWeight(sums.Sums)}
	}
	return &own
}

// dividedParam is the weight of programs whose vertices divide what they have among their out-edges.
func dividedParam() Param {
	return ownWeightParam("what a vertex divides what it passes on by, among its out-edges; below 0 it counts nothing")
}

// divided is the message of a vertex that divides one of its columns among its out-edges: alike, or by their weights.
func (a Args) divided(column string) string {
	if a.Strings["weight"] == "" {
		return "src." + column + " / double(src.out_degree)"
	}
	return "(src.out_weight > 0.0 ? src." + column + " / src.out_weight : 0.0) * " + a.counted()
}

// counted is what the weight of an edge counts, where those below 0 count nothing.
func (a Args) counted() string { return "max(" + a.weight() + ", 0.0)" }

// dangling asks whether a vertex passes nothing on.
func (a Args) dangling() string {
	if a.Strings["weight"] == "" {
		return "self.out_degree == 0"
	}
	return "self.out_weight == 0.0"
}

// weighted gives p what it reads where a weight is named. Weights of almost nothing make infinities, which are
// an error.
func (a Args) weighted(p *Program) *Program {
	if name := a.Strings["weight"]; name != "" {
		p.Properties, p.Finite = []Property{{Name: outWeight, Type: Float, Sums: name}}, true
	}
	return p
}

// division is how vertices divide what they have, for oracles.
type division struct {
	totals  []float64 // of each vertex: how many out-edges, or their weights
	weights []float64 // of each edge that leads in
}

func (g *Graph) division(args Args) division {
	name := args.Strings["weight"]
	return division{totals: g.OutWeight(name), weights: g.In.weights(name)}
}

// along is what u, which has x, passes on along the k-th edge that leads in.
func (d division) along(k int, u uint32, x float64) float64 {
	if d.totals[u] == 0 {
		return 0
	}
	return x / d.totals[u] * max(d.weights[k], 0)
}
