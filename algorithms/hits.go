package algorithms

import "math"

// HITS tells authorities, to which good hubs lead, from hubs, which lead to good authorities.
//
//	h₀(v) = 1,   aₖ(v) = Σ_{u→v} hₖ₋₁(u),   hₖ(v) = Σ_{v→w} aₖ(w),   each scaled to length 1
//
// O(m) an iteration. Kleinberg, "Authoritative sources in a hyperlinked environment", 1999.
var hits = &Algorithm{
	Name:    "hits",
	Summary: "hubs and authorities",
	Source:  "Kleinberg 1999",
	Params: []Param{{Name: "iterations", Type: ParamInt, Default: "20", Min: 1, Max: math.MaxInt32,
		Doc: "do exactly this many iterations"}},
	Result:    []Column{{Name: "authority", Type: Float}, {Name: "hub", Type: Float}},
	Procedure: &Procedure{Edges: BothSides, Adjacency: true, EdgeColumns: noEdgeColumns},
	Oracle:    hitsOracle,
	Verify:    verifyHITS,
}

func hitsOracle(g *Graph, args Args) ([]Values, error) {
	authority, hub := make([]float64, g.N()), make([]float64, g.N())
	for v := range hub {
		hub[v] = 1
	}
	for range args.Ints["iterations"] {
		for v := range authority {
			authority[v] = 0
			for _, u := range g.In.Of(v) {
				authority[v] += hub[u]
			}
		}
		scale(authority)
		for v := range hub {
			hub[v] = 0
			for _, w := range g.Out.Of(v) {
				hub[v] += authority[w]
			}
		}
		scale(hub)
	}
	return append(floatResult("authority", authority), floatResult("hub", hub)...), nil
}

// verifyHITS checks that hubs are what the authorities make of them, and the authorities by the oracle.
func verifyHITS(g *Graph, args Args, result []Values) error {
	if err := shaped(g, result, Column{Name: "authority", Type: Float}, Column{Name: "hub", Type: Float}); err != nil {
		return err
	}
	hub := make([]float64, g.N())
	for v := range hub {
		for _, u := range g.In.Of(v) {
			hub[u] += result[0].Floats[v]
		}
	}
	scale(hub)
	if err := matches(g, result[1], floatResult("hub", hub)[0]); err != nil {
		return err
	}
	want, err := hitsOracle(g, args)
	if err != nil {
		return err
	}
	return matches(g, result[0], want[0])
}
