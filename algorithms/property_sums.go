package algorithms

import "maps"

// OutWeight is the sum of an edge property over the edges that lead out of each vertex; values below 0 count nothing.
func (g *Graph) OutWeight(property string) []float64 {
	sums, weights := make([]float64, g.N()), g.Out.Weights(property)
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
