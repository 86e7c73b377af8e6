package community

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
	"github.com/penstock-db/penstock/algorithms/random"
)

// SLPA is community detection by speakers and listeners: vertices remember labels, and tell each other what they
// remember.
//
//	M(v) = [id(v)];   in each iteration every v appends to M(v) what most of its neighbors say, of several the smallest
//	u says to v the entry of M(u) at Spoken(seed, k, u, v, |M(u)|): one drawn evenly, so a label as likely as it is frequent
//	community(v) = the most frequent label in M(v), of several the smallest;   share(v) = how frequent it is, of |M(v)|
//
// A vertex that belongs to several communities has a small share of each. All vertices listen at once, and draws depend
// on ids, so that there is one result for each seed. A vertex hears each of its edges, either way, but loops; without
// any it keeps its label. O(m·log d·iterations), and 4 bytes of memory a vertex and iteration. Neo4j GDS lists all
// labels above a share. Xie, Szymanski, Liu, "SLPA: uncovering overlapping communities in social networks via a speaker-listener
// interaction dynamic process", 2011.
var SLPA = &algorithms.Algorithm{
	Name:    "slpa",
	Aliases: []string{"speaker-listener", "sllpa"},
	Summary: "communities by speakers and listeners, and how much a vertex belongs to its own",
	Source:  "Xie, Szymanski, Liu 2011",
	Params: []algorithms.Param{{Name: "iterations", Type: algorithms.ParamInt, Default: "20", Min: 1, Max: 10_000,
		Doc: "how many labels a vertex hears"}, {Name: "seed", Type: algorithms.ParamInt, Default: "1",
		Doc: "draws other labels to say"}},
	Result:    slpaColumns(),
	Yield:     "communityId",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    slpaOracle,
	Verify:    answer.AsOracle(slpaOracle, slpaColumns()...), // what is drawn has no property of its own
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		return []algorithms.Figure{{Name: "communities", Value: answer.Distinct(result[0].Ints)}}
	},
}

func slpaColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "community", Type: algorithms.VertexID}, {Name: "share", Type: algorithms.Float}}
}

// Spoken is which of so many labels one vertex says to another in an iteration, by their ids.
func Spoken(seed, iteration uint64, speaker, listener int64, count int) int {
	x := random.Mix(listener, random.Mix(speaker, random.Mix(int64(iteration), seed)))
	return int(x % uint64(count))
}

func slpaOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	memory := make([][]int64, g.N())
	for v := range memory {
		memory[v] = []int64{g.IDs[v]}
	}
	for k := range args.Ints["iterations"] {
		heard := make([]int64, g.N())
		for v := range heard {
			var said []int64
			for _, lists := range neighborhood.BothSides(g) {
				for _, u := range lists.Of(v) {
					if int(u) != v {
						at := Spoken(uint64(args.Ints["seed"]), uint64(k), g.IDs[u], g.IDs[v], len(memory[u]))
						said = append(said, memory[u][at])
					}
				}
			}
			heard[v] = mostFrequent(said, g.IDs[v])
		}
		for v := range memory {
			memory[v] = append(memory[v], heard[v])
		}
	}
	community, share := make([]int64, g.N()), make([]float64, g.N())
	for v, labels := range memory {
		community[v] = mostFrequent(labels, math.MinInt64)
		count := 0
		for _, label := range labels {
			if label == community[v] {
				count++
			}
		}
		share[v] = float64(count) / float64(len(labels))
	}
	return append(answer.Ints("community", algorithms.VertexID, community), answer.Floats("share", share)...), nil
}
