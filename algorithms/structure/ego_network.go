package structure

import (
	"cmp"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// EgoNetwork is what surrounds a vertex, the ego: the vertices that at most radius edges lead to, and all edges between
// any two of them.
//
//	hops(v)      = edges of the shortest path from the ego to v, if at most radius; else v is not in the network
//	degree(v)    = edges at v, whichever way they lead, that join it with vertices of the network; a loop counts twice
//	component(v) = smallest id of those that v is connected with, whichever way edges lead, if the ego is left out
//
// Parallel edges count each. The degrees sum up to twice the edges of the network. O(m') for m' edges at its vertices.
// Freeman, "Centered graphs and the structure of ego networks", 1982; Burt, "Structural Holes", 1992, for what the ego
// joins. As NetworkX has it by ego_graph.
var EgoNetwork = &algorithms.Algorithm{
	Name:    "ego-network",
	Aliases: []string{"ego-net", "ego-graph"},
	Summary: "what surrounds a vertex: those within some edges, and how they are joined",
	Source:  "Freeman 1982",
	Params: []algorithms.Param{
		{Name: "source", Type: algorithms.ParamVertex, Doc: "the ego: the vertex that the network is around"},
		{Name: "radius", Type: algorithms.ParamInt, Default: "1", Max: 1 << 31, Doc: "how many edges away others may be"},
		param.Orientation("which edges lead on: natural, those out of a vertex; reverse, those into it; undirected, both"),
	},
	Result:    egoColumns(),
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    egoOracle,
	Verify:    answer.AsOracle(egoOracle, egoColumns()...), // each column is unique
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		vertices, ends := int64(0), int64(0)
		others := map[int64]bool{}
		for v, hops := range result[0].Ints {
			if hops == algorithms.Unreached {
				continue
			}
			vertices++
			ends += result[1].Ints[v]
			if label := result[2].Ints[v]; label != algorithms.Unreached {
				others[label] = true
			}
		}
		return []algorithms.Figure{{Name: "vertices of the network", Value: vertices}, {Name: "edges of it", Value: ends / 2},
			{Name: "components without the source", Value: int64(len(others))}}
	},
}

func egoColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "hops", Type: algorithms.Int}, {Name: "degree", Type: algorithms.Int},
		{Name: "component", Type: algorithms.VertexID}}
}

func egoOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	ego, err := argument.Start(g, args)
	if err != nil {
		return nil, err
	}
	var result []algorithms.Values
	for _, c := range egoColumns() {
		values := algorithms.NewValues(c, g.N())
		for v := range values.Ints {
			values.Ints[v] = algorithms.Unreached
		}
		result = append(result, values)
	}
	hops, degree, component := result[0].Ints, result[1].Ints, result[2].Ints
	hops[ego] = 0
	members := []int{ego}
	for i := 0; i < len(members); i++ { // those that come to it come behind
		v := members[i]
		for _, lists := range neighborhood.Sides(g, args.Strings["orientation"]) {
			for _, u := range lists.Of(v) {
				if hops[u] == algorithms.Unreached && hops[v] < args.Ints["radius"] {
					hops[u] = hops[v] + 1
					members = append(members, int(u))
				}
			}
		}
	}
	slices.SortFunc(members, func(v, u int) int { return cmp.Compare(g.IDs[v], g.IDs[u]) })
	var label func(v int, id int64)
	label = func(v int, id int64) {
		component[v] = id
		for _, lists := range neighborhood.Sides(g, param.Undirected) {
			for _, u := range lists.Of(v) {
				if hops[u] != algorithms.Unreached && component[u] == algorithms.Unreached && int(u) != ego {
					label(int(u), id)
				}
			}
		}
	}
	for _, v := range members {
		degree[v] = 0
		for _, lists := range neighborhood.Sides(g, param.Undirected) {
			for _, u := range lists.Of(v) {
				switch {
				case hops[u] == algorithms.Unreached:
				case int(u) == v && !g.Directed: // it stands once in the list
					degree[v] += 2
				default:
					degree[v]++
				}
			}
		}
		if v != ego && component[v] == algorithms.Unreached {
			label(v, g.IDs[v])
		}
	}
	return result, nil
}
