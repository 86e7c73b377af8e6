package centrality

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/vector"
)

// HITS tells authorities, to which good hubs lead, from hubs, which lead to good authorities.
//
//	h₀(v) = 1,   aₖ(v) = Σ_{u→v} hₖ₋₁(u),   hₖ(v) = Σ_{v→w} aₖ(w),   each scaled to length 1
//
// O(m) an iteration. Kleinberg, "Authoritative sources in a hyperlinked environment", 1999.
var HITS = &algorithms.Algorithm{
	Name:    "hits",
	Summary: "hubs and authorities",
	Source:  "Kleinberg 1999",
	Params: []algorithms.Param{{Name: "iterations", Type: algorithms.ParamInt, Default: "20", Min: 1, Max: math.MaxInt32,
		Doc: "do exactly this many iterations"}},
	Result:    []algorithms.Column{{Name: "authority", Type: algorithms.Float}, {Name: "hub", Type: algorithms.Float}},
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    hitsOracle,
	Verify:    verifyHITS,
}

func hitsOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
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
		vector.Scale(authority)
		for v := range hub {
			hub[v] = 0
			for _, w := range g.Out.Of(v) {
				hub[v] += authority[w]
			}
		}
		vector.Scale(hub)
	}
	return append(answer.Floats("authority", authority), answer.Floats("hub", hub)...), nil
}

// verifyHITS checks that hubs are what the authorities make of them, and the authorities by the oracle.
func verifyHITS(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, algorithms.Column{Name: "authority", Type: algorithms.Float},
		algorithms.Column{Name: "hub", Type: algorithms.Float}); err != nil {
		return err
	}
	hub := make([]float64, g.N())
	for v := range hub {
		for _, u := range g.In.Of(v) {
			hub[u] += result[0].Floats[v]
		}
	}
	vector.Scale(hub)
	if err := answer.Matches(g, result[1], answer.Floats("hub", hub)[0]); err != nil {
		return err
	}
	want, err := hitsOracle(g, args)
	if err != nil {
		return err
	}
	return answer.Matches(g, result[0], want[0])
}
