package community

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
	"github.com/penstock-db/penstock/algorithms/internal/vector"
)

// Leiden finds communities of high modularity, each of them connected. It does what louvain does, but for this: what is
// merged into the vertices of the next level are not the communities, but parts of them. A community is taken apart
// into single vertices, of which those that are well connected to the rest of it join others at random, by no loss; the
// smaller graph begins with the communities that its vertices were parts of.
//
//	v joins part S of community C if   w(v, C-v) ≥ γ·k_v·(k_C-k_v)/2m,   w(S, C-S) ≥ γ·k_S·(k_C-k_S)/2m   and gain ≥ 0,
//	with a probability ∝ exp(gain/θ),   gain = w(v, S) - γ·k_v·k_S/2m, in mean weights of edges
//
// A pass ends when every vertex of its smallest graph is a community; the next begins with these communities, until one
// gains at most `tolerance`, or there have been `levels` in all passes. Communities are connected, whatever the
// parameters; without `levels` no two would be better as one; and when a pass changes nothing, no vertex would be
// better elsewhere. O(m) for each round over the vertices. Traag, Waltman, van Eck, "From Louvain to Leiden:
// guaranteeing well-connected communities", 2019.
var Leiden = &algorithms.Algorithm{
	Name:    "leiden",
	Summary: "communities of high modularity that are connected",
	Source:  "Traag, Waltman, van Eck 2019",
	Params: append([]algorithms.Param{
		param.Weight("how strongly an edge joins its ends"), resolutionParam,
		{Name: "theta", Type: algorithms.ParamFloat, Default: "0.01", Min: 1e-9, Max: math.MaxFloat32,
			Doc: "larger numbers make it more random which parts vertices join"},
		{Name: "iterations", Type: algorithms.ParamInt, Default: "10", Min: 1, Max: math.MaxInt32,
			Doc: "at most this many passes"},
		{Name: "tolerance", Type: algorithms.ParamFloat, Default: "1e-4", Max: 1, Doc: "stop when a pass gains at most this"},
	}, communityParams()...),
	Derive:      boundLevels,
	Result:      communityColumns(),
	Vary:        communityColumnsFor,
	Yield:       "communityId",
	Approximate: true,
	Procedure:   &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:      leidenOracle,
	Verify:      verifyLeiden,
	Figures:     communityFigures,
	Measures:    sharedModularity,
}

// leidenOracle takes vertices in their order, and has each join the part that gains most.
func leidenOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	h, err := newHierarchy(g, args)
	if err != nil {
		return nil, err
	}
	community := h.begin()
	for quality := math.Inf(-1); !h.full(); {
		h.leidenPass(community)
		before := quality
		if quality = vector.Sum(h.of.shares(community)); quality-before <= 1e-12 {
			break
		}
	}
	copy(community, h.of.connected(community))
	if last := len(h.levels) - 1; last >= 0 {
		h.levels[last] = community
	}
	return h.result(g, args, community), nil
}

func (h *hierarchy) leidenPass(result []int) {
	a, node, community := h.of, singletons(len(result)), renumbered(result)
	for !h.full() {
		moved := a.move(community)
		for v := range result {
			result[v] = community[node[v]]
		}
		if moved || len(h.levels) == 0 && distinctOf(community) < len(community) {
			h.add(result)
		}
		part := a.refined(community)
		for v := range node {
			node[v] = part[node[v]]
		}
		m := a.merged(part)
		if len(m.weights) == len(a.weights) {
			return
		}
		next := make([]int, len(m.weights))
		for v, p := range part {
			next[p] = community[v]
		}
		a, community = m, renumbered(next)
	}
}

// distinctOf is how many communities there are.
func distinctOf(community []int) int {
	return len(slices.Compact(slices.Sorted(slices.Values(community))))
}

// refined are the parts of communities, numbered.
func (a *affinity) refined(community []int) []int {
	part := singletons(len(community))
	whole := a.strengths(community)
	for v, c := range community {
		strengths, outside := a.strengths(part), a.outside(part, community)
		enough := func(p int) bool {
			return outside[p] >= a.gamma*strengths[p]*(whole[c]-strengths[p])/a.total
		}
		if part[v] != v || strengths[v] != a.strength[v] || !enough(v) {
			continue
		}
		to := map[int]float64{}
		for u, w := range a.weights[v] {
			if community[u] == c && part[u] != v {
				to[part[u]] += w
			}
		}
		best, most := v, math.Inf(-1)
		for p, w := range to {
			if gain := a.gain(v, w, strengths[p]); gain >= 0 && enough(p) && (gain > most || gain == most && p < best) {
				best, most = p, gain
			}
		}
		part[v] = best
	}
	return renumbered(part)
}

// outside is the weight between each part and the rest of its community.
func (a *affinity) outside(part, community []int) map[int]float64 {
	weights := map[int]float64{}
	for v, p := range part {
		for u, w := range a.weights[v] {
			if community[u] == community[v] && part[u] != p {
				weights[p] += w
			}
		}
	}
	return weights
}

// connected splits communities into what edges join within them.
func (a *affinity) connected(community []int) []int {
	part := make([]int, len(community))
	seen := make([]bool, len(community))
	for root := range community {
		if seen[root] {
			continue
		}
		seen[root] = true
		for stack := []int{root}; len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			part[v] = root
			for u := range a.weights[v] {
				if !seen[u] && community[u] == community[root] {
					seen[u] = true
					stack = append(stack, u)
				}
			}
		}
	}
	return part
}

// verifyLeiden checks beside all that communities are connected.
func verifyLeiden(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	a, community, err := verifyCommunities(g, args, result, false)
	if err != nil {
		return err
	}
	for v, part := range a.connected(community) {
		if part != community[v] {
			return answer.WrongAt(g, v, "community %d, with whose vertex %d no edges within it connect it", result[0].Ints[v],
				g.IDs[community[v]])
		}
	}
	return nil
}
