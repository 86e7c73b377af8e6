package community

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
)

// CDLP is community detection by label propagation: each vertex takes the label that is
// most frequent among its neighbors, and of several the smallest.
//
//	L₀(v) = id(v)
//	Lₖ(v) = min( argmax_l |{u→v : Lₖ₋₁(u) = l}| + |{v→u : Lₖ₋₁(u) = l}| )
//
// All vertices change at once; there are exactly `iterations` iterations. In a directed
// graph a neighbor by an edge each way votes twice; parallel edges vote each; a vertex
// without neighbors keeps its label. Raghavan, Albert, Kumara, 2007, made deterministic
// and synchronous by LDBC Graphalytics 1.0.1, section 2.3.4.
var CDLP = &algorithms.Algorithm{
	Name:    "cdlp",
	Summary: "communities by synchronous label propagation",
	Source:  "Raghavan et al. 2007; LDBC Graphalytics 1.0.1, 2.3.4",
	Params: []algorithms.Param{{Name: "iterations", Type: algorithms.ParamInt, Default: "10", Max: math.MaxInt32,
		Doc: "do exactly this many iterations"}},
	Result:    []algorithms.Column{{Name: "community", Type: algorithms.VertexID}},
	Yield:     "communityId",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    cdlpOracle,
	Verify:    verifyCDLP,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		return []algorithms.Figure{{Name: "communities", Value: answer.Distinct(result[0].Ints)}}
	},
}

func cdlpOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	label := slices.Clone(g.IDs)
	for range args.Ints["iterations"] {
		next := make([]int64, g.N())
		for v := range next {
			next[v] = mostFrequent(votes(g, label, v), label[v])
		}
		label = next
	}
	return answer.Ints("community", algorithms.VertexID, label), nil
}

// votes are the labels of v's neighbors, one for each edge.
func votes(g *algorithms.Graph, label []int64, v int) []int64 {
	neighbors := g.Out.Of(v)
	if g.Directed {
		neighbors = slices.Concat(neighbors, g.In.Of(v))
	}
	var labels []int64
	for _, u := range neighbors {
		labels = append(labels, label[u])
	}
	return labels
}

// mostFrequent is the label with most votes, of several the smallest; own without votes.
func mostFrequent(votes []int64, own int64) int64 {
	slices.Sort(votes)
	best, most := own, 0
	for from := 0; from < len(votes); {
		to := from
		for to < len(votes) && votes[to] == votes[from] {
			to++
		}
		if to-from > most {
			best, most = votes[from], to-from
		}
		from = to
	}
	return best
}

// verifyCDLP compares with the oracle: after a fixed number of iterations the labels
// need have no property of their own.
func verifyCDLP(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	got, err := answer.Sole(g, result, algorithms.VertexID)
	if err != nil {
		return err
	}
	want, err := cdlpOracle(g, args)
	if err != nil {
		return err
	}
	return answer.Matches(g, got, want[0])
}
