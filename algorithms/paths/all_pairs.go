package paths

import (
	"fmt"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// AllPairs is how far it is from each of some vertices to each of others, or among a set:
//
//	distance(s, t) = the least sum of weights of a path from s to t,   s ∈ source, t ∈ target
//
// There is a row for each pair that a path joins, 0 from a vertex to itself, in the order in which sources and targets
// are named; without names they are all vertices, by ids. Weights must be finite and not below 0. One search a source,
// until all targets are settled. Dijkstra, "A note on two problems in connexion with graphs", 1959.
var AllPairs = &algorithms.Algorithm{
	Name:    "all-pairs",
	Summary: "distances between all pairs of a set of vertices, or from some vertices to others",
	Source:  "Dijkstra 1959",
	Params: []algorithms.Param{
		{Name: "source", Type: algorithms.ParamVertices, Optional: true, Doc: "the vertices to start from; without it, all"},
		{Name: "target", Type: algorithms.ParamVertices, Optional: true, Doc: "where paths end; without it, at the sources"},
		param.Weight("the length of an edge"),
	},
	Shape: algorithms.OfPairs,
	Result: []algorithms.Column{{Name: "source", Type: algorithms.VertexID}, {Name: "target", Type: algorithms.VertexID},
		{Name: "distance", Type: algorithms.Float}},
	Rows:      func(args algorithms.Args) int { return max(1, int(min(pairsOf(args), algorithms.MaxRows))) },
	Derive:    fewPairs,
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:    allPairsOracle,
	Verify: func(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
		return answer.AsOracle(allPairsOracle, allPairsColumns(args)...)(g, args, result)
	},
	Figures: answer.Pairs,
}

// maxPairs bounds the rows that pairs of a set may have.
const maxPairs = 1 << 24

// pairsOf is how many there are.
func pairsOf(args algorithms.Args) uint64 {
	count := func(named []int64, all int) uint64 {
		if named == nil {
			return uint64(all)
		}
		return uint64(len(named))
	}
	sources := count(args.Vertices["source"], args.N)
	return sources * count(args.Vertices["target"], int(sources))
}

func fewPairs(args algorithms.Args) error {
	if pairsOf(args) <= maxPairs {
		return nil
	}
	return &algorithms.ParamError{Algorithm: "all-pairs", Param: "source",
		Message: fmt.Sprintf("that is %d pairs; expected %d at most: name fewer vertices", pairsOf(args), maxPairs)}
}

// PairEnds are the ids of sources and targets, of a graph that has these.
func PairEnds(args algorithms.Args, ids []int64) (sources, targets []int64) {
	if sources = args.Vertices["source"]; sources == nil {
		sources = slices.Sorted(slices.Values(ids))
	}
	if targets = args.Vertices["target"]; targets == nil {
		targets = sources
	}
	return sources, targets
}

func allPairsColumns(args algorithms.Args) []algorithms.Column {
	columns := []algorithms.Column{{Name: "source", Type: algorithms.VertexID},
		{Name: "target", Type: algorithms.VertexID},
		{Name: "distance", Type: algorithms.Float}}
	for i := range columns {
		columns[i].Rows = max(1, int(pairsOf(args)))
	}
	return columns
}

func allPairsOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	if _, err := newWays(g, args); err != nil { // for what weights may be
		return nil, err
	}
	var result []algorithms.Values
	for _, c := range allPairsColumns(args) {
		result = append(result, algorithms.NewValues(c, g.N()))
	}
	for i := range result[0].Ints {
		result[0].Ints[i], result[1].Ints[i], result[2].Floats[i] = algorithms.Unreached, algorithms.Unreached, math.NaN()
	}
	sources, targets := PairEnds(args, g.IDs)
	row := 0
	for _, source := range sources {
		from := args
		from.Ints = map[string]int64{"source": source}
		distances, err := ssspRule.dijkstra(g, from)
		if err != nil {
			return nil, err
		}
		for _, target := range targets {
			if distance := distances[0].Floats[g.Vertex(target)]; !math.IsInf(distance, 1) {
				result[0].Ints[row], result[1].Ints[row], result[2].Floats[row] = source, target, distance
				row++
			}
		}
	}
	return result, nil
}
