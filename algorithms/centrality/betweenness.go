package centrality

import (
	"cmp"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
	"github.com/penstock-db/penstock/algorithms/internal/position"
	"github.com/penstock-db/penstock/algorithms/random"
)

// Betweenness is the number of shortest paths through a vertex, where several from s to
// t count as shares of one:
//
//	δ_s(v) = Σ { σ_st(v) / σ_st : t ≠ v }     for v ≠ s
//	betweenness(v) = Σ_s δ_s(v)
//
// with σ_st the number of shortest paths from s to t, σ_st(v) of those through v, by
// number of edges, along their direction. In an undirected graph the sum meets every pair
// twice and is halved. Parallel edges make different paths; loops none. Values are not
// normalized: so do Neo4j GDS, and NetworkX with normalized=False.
//
// With `weight` a path is as long as the sum of its weights, from the source on. Only paths
// whose sums are equal, as they are rounded, share. Weights are above 0 and finite, for along
// edges of 0 paths could go in circles (shortest_edges.go).
//
// With `sources` = k < n the sum is over k vertices drawn at random, and times n/k, which
// estimates the same (Brandes and Pich, 2007). NetworkX does so for vertices not drawn;
// GDS leaves the sum as it is. With `source` it is over the vertices named, neither halved
// nor scaled. Numbers of paths are doubles: beyond 2⁵³ rounded, beyond 10³⁰⁸ an error.
//
// Freeman, 1977; Brandes, "A faster algorithm for betweenness centrality", 2001.
var Betweenness = &algorithms.Algorithm{
	Name:    "betweenness",
	Aliases: []string{"bc", "betweenness-centrality"},
	Summary: "betweenness centrality: shortest paths through each vertex",
	Source:  "Freeman 1977; Brandes 2001; Brandes and Pich 2007",
	Params: []algorithms.Param{
		{Name: "sources", Type: algorithms.ParamInt, Optional: true, Min: 1, Max: math.MaxInt32,
			Doc: "estimate from the paths that begin at this many vertices, drawn at random; without it, at all"},
		{Name: "seed", Type: algorithms.ParamInt, Default: "1", Doc: "draws other sources"},
		{Name: "source", Type: algorithms.ParamVertices, Optional: true,
			Doc: "count only the paths that begin at these vertices, separated by commas; sources is then ignored"},
		param.OwnWeight("the length of an edge, above 0"),
	},
	Result:    []algorithms.Column{{Name: "betweenness", Type: algorithms.Float}},
	Yield:     "score",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:    betweennessOracle,
	Verify:    verifyBetweenness,
}

// BetweennessSources are the vertices, by position in ids, whose shortest paths count,
// and the factor of their sum. Which are drawn depends on ids, and not on their order:
// those of least random.Mix(id, seed).
func BetweennessSources(ids []int64, args algorithms.Args) (sources []int, scale float64, err error) {
	if named, given := args.Vertices["source"]; given {
		sources, err = position.Of(ids, named)
		return sources, 1, err
	}
	scale = 1
	if !args.Directed {
		scale = 0.5
	}
	k, given := args.Ints["sources"]
	if n := int64(len(ids)); given && k < n {
		return draw(ids, int(k), uint64(args.Ints["seed"])), scale * float64(n) / float64(k), nil
	}
	sources = make([]int, len(ids))
	for v := range sources {
		sources[v] = v
	}
	return sources, scale, nil
}

// draw picks k of the vertices, in order of random.Mix. Numbers below a limit suffice mostly,
// so that few are sorted.
func draw(ids []int64, k int, seed uint64) []int {
	var drawn []int
	for share := 2 * float64(k) / float64(len(ids)); len(drawn) < k; share *= 2 {
		limit := uint64(math.MaxUint64)
		if share < 1 {
			limit = uint64(share * math.MaxUint64)
		}
		drawn = drawn[:0]
		for v, id := range ids {
			if random.Mix(id, seed) <= limit {
				drawn = append(drawn, v)
			}
		}
	}
	slices.SortFunc(drawn, func(a, b int) int { return cmp.Compare(random.Mix(ids[a], seed), random.Mix(ids[b], seed)) })
	return drawn[:k]
}

// betweennessOracle takes the definition at its word: the paths from s to t through v are those from s to v, each with
// each of those from v to t, along edges of shortest paths from s.
func betweennessOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	sources, scale, err := BetweennessSources(g.IDs, args)
	if err != nil {
		return nil, err
	}
	sums := make([]float64, g.N())
	for _, source := range sources {
		e, err := shortestEdgesFrom(g, g.Out.Weights(args.Strings["weight"]), source)
		if err != nil {
			return nil, err
		}
		paths := e.paths(0)
		for i, v := range e.order[1:] {
			onward := e.paths(i + 1)
			for _, t := range e.order[i+2:] {
				sums[v] += paths[v] * onward[t] / paths[t]
			}
		}
	}
	for v := range sums {
		sums[v] *= scale
	}
	return answer.Floats("betweenness", sums), nil
}

// verifyBetweenness recomputes the sums as Brandes does, from the furthest vertices back:
// δ_s(u) = Σ σ_u/σ_v · (1 + δ_s(v)) over the edges u→v that lie on shortest paths.
func verifyBetweenness(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	got, err := answer.Sole(g, result, algorithms.Float)
	if err != nil {
		return err
	}
	sources, scale, err := BetweennessSources(g.IDs, args)
	if err != nil {
		return err
	}
	sums := make([]float64, g.N())
	for _, source := range sources {
		e, err := shortestEdgesFrom(g, g.Out.Weights(args.Strings["weight"]), source)
		if err != nil {
			return err
		}
		paths, dependency := e.paths(0), make([]float64, g.N())
		for _, u := range slices.Backward(e.order) {
			for _, v := range e.onward[u] {
				dependency[u] += paths[u] / paths[v] * (1 + dependency[v])
			}
			if u != source {
				sums[u] += dependency[u] * scale
			}
		}
	}
	return answer.Matches(g, got, answer.Floats("betweenness", sums)[0])
}
