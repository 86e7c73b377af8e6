package community

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// Louvain finds communities of high modularity. Each vertex is a community at first. Vertices, in random order, move to
// the community that gains most, until none moves; then communities become the vertices of a smaller graph, whose loops
// are the weights within, and so on until none of them moves.
//
//	ΔQ(v → C) = 2/2m · ( w(v, C) - γ·k_v·k_C/2m ) - the same of the community that it leaves
//
// Edges go both ways; parallel ones add up. The result depends on the order in which vertices are taken: that is drawn
// by `seed`. No two communities would be better as one, unless `levels` is reached. O(m) for each round over the
// vertices, of which there are up to `iterations` on each level; levels are few. Blondel, Guillaume, Lambiotte,
// Lefebvre, "Fast unfolding of communities in large networks", 2008.
var Louvain = &algorithms.Algorithm{
	Name:    "louvain",
	Summary: "communities of high modularity",
	Source:  "Blondel, Guillaume, Lambiotte, Lefebvre 2008",
	Params: append([]algorithms.Param{
		param.Weight("how strongly an edge joins its ends"), resolutionParam,
		{Name: "iterations", Type: algorithms.ParamInt, Default: "10", Min: 1, Max: math.MaxInt32,
			Doc: "at most this many rounds on a level"},
		{Name: "tolerance", Type: algorithms.ParamFloat, Default: "1e-4", Max: 1,
			Doc: "a level ends when a round gains at most this"},
	}, communityParams()...),
	Derive:      boundLevels,
	Result:      communityColumns(),
	Vary:        communityColumnsFor,
	Yield:       "communityId",
	Approximate: true,
	Procedure:   &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:      louvainOracle,
	Verify: func(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
		_, _, err := verifyCommunities(g, args, result, true)
		return err
	},
	Figures:  communityFigures,
	Measures: sharedModularity,
}

// louvainOracle takes vertices in their order.
func louvainOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	h, err := newHierarchy(g, args)
	if err != nil {
		return nil, err
	}
	a, node, community := h.of, singletons(g.N()), renumbered(h.begin())
	for !h.full() {
		moved := a.move(community)
		community = renumbered(community)
		for v := range node {
			node[v] = community[node[v]]
		}
		m := a.merged(community)
		if !moved && len(m.weights) == len(a.weights) {
			break
		}
		h.add(node)
		a, community = m, singletons(len(m.weights))
	}
	return h.result(g, args, node), nil
}

func singletons(n int) []int {
	community := make([]int, n)
	for v := range community {
		community[v] = v
	}
	return community
}

// renumbered are the same communities, numbered from 0 in the order of their first vertices.
func renumbered(community []int) []int {
	number, numbers := map[int]int{}, make([]int, len(community))
	for v, c := range community {
		if _, known := number[c]; !known {
			number[c] = len(number)
		}
		numbers[v] = number[c]
	}
	return numbers
}

// mostRounds is how often vertices are moved, at most: rounding moves some to and fro where weights differ by much.
const mostRounds = 100

// move moves vertices, each to the community that gains most or to one of its own, until none moves. It tells whether
// any has moved.
func (a *affinity) move(community []int) (moved bool) {
	strengths := a.strengths(community)
	for round, again := 0, true; again && round < mostRounds; round++ {
		again = false
		for v := range community {
			own := community[v]
			strengths[own] -= a.strength[v]
			to := map[int]float64{own: 0, a.empty(strengths, community, v): 0}
			for u, w := range a.weights[v] {
				to[community[u]] += w
			}
			best, most := own, a.gain(v, to[own], strengths[own])+1e-12*a.strength[v]
			for c, w := range to {
				if gain := a.gain(v, w, strengths[c]); gain > most || gain == most && c < best {
					best, most = c, gain
				}
			}
			community[v] = best
			strengths[best] += a.strength[v]
			moved, again = moved || best != own, again || best != own
		}
	}
	return moved
}

// empty is the number of a community without vertices but v.
func (a *affinity) empty(strengths map[int]float64, community []int, v int) int {
	used := map[int]bool{}
	for u, c := range community {
		used[c] = used[c] || u != v
	}
	for c := range community {
		if !used[c] {
			strengths[c] = 0
			return c
		}
	}
	return community[v]
}

// merged is the graph whose vertices are the communities, numbered from 0.
func (a *affinity) merged(community []int) *affinity {
	count := 0
	for _, c := range community {
		count = max(count, c+1)
	}
	m := &affinity{weights: make([]map[int]float64, count), loops: make([]float64, count), gamma: a.gamma}
	for c := range m.weights {
		m.weights[c] = map[int]float64{}
	}
	for v, c := range community {
		m.loops[c] += a.loops[v]
		for u, w := range a.weights[v] {
			if d := community[u]; d != c {
				m.weights[c][d] += w
			} else {
				m.loops[c] += w
			}
		}
	}
	m.sum()
	return m
}
