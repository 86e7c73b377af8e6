package community

import (
	"maps"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/vector"
)

var resolutionParam = algorithms.Param{Name: "resolution", Type: algorithms.ParamFloat, Default: "1",
	Max: math.MaxFloat32,
	Doc: "larger numbers make communities smaller"}

func communityFigures(result []algorithms.Values) []algorithms.Figure {
	sizes := map[int64]int64{}
	for _, label := range result[0].Ints {
		sizes[label]++
	}
	largest := int64(0)
	for _, size := range sizes {
		largest = max(largest, size)
	}
	return []algorithms.Figure{{Name: "communities", Value: int64(len(sizes))},
		{Name: "largest community", Value: largest}}
}

// sharedModularity is the sum of what each vertex has of it.
func sharedModularity(result []algorithms.Values) []algorithms.Measure {
	return []algorithms.Measure{{Name: "modularity", Value: vector.Sum(result[1].Floats)}}
}

// affinity is a graph as modularity sees it. Modularity measures communities: the weight within them, less what chance
// would put there.
//
//	Q = Σ_v q(v),   q(v) = 1/2m · Σ { A_vu - γ·k_v·k_u/2m : c(u) = c(v) }
//
// A_vu is the weight of all edges between v and u, whatever their direction, and A_vv twice that of loops; k_v = Σ_u
// A_vu and 2m = Σ_v k_v. γ is the resolution: communities are smaller where it is larger. Without edges every q is 0.
// Newman and Girvan, 2004; Reichardt and Bornholdt, 2006.
type affinity struct {
	weights  []map[int]float64 // A_vu for u ≠ v; sums of parallel edges
	loops    []float64         // A_vv
	strength []float64         // k_v
	total    float64           // 2m
	gamma    float64
}

// newAffinity fails where an edge has a weight below 0.
func newAffinity(g *algorithms.Graph, args algorithms.Args) (*affinity, error) {
	a := &affinity{weights: make([]map[int]float64, g.N()), loops: make([]float64, g.N()), gamma: args.Floats["resolution"]}
	weights, largest := g.Out.Weights(args.Strings["weight"]), math.SmallestNonzeroFloat64
	for v := range a.weights {
		a.weights[v] = map[int]float64{}
	}
	for _, w := range weights {
		largest = max(largest, w)
	}
	for v := range a.weights {
		for k, u := range g.Out.Of(v) {
			w := weights[g.Out.Offsets[v]+k]
			if w < 0 || w-w != 0 {
				return nil, answer.WrongAt(g, v, "an edge of it weighs %v; modularity needs finite weights of 0 or more", w)
			}
			w /= largest // the unit of weights does not matter, and so no sum overflows
			switch {
			case int(u) == v:
				a.loops[v] += 2 * w
			default:
				a.weights[v][int(u)] += w
				if g.Directed {
					a.weights[u][v] += w
				}
			}
		}
	}
	a.sum()
	return a, nil
}

// sum adds up strengths, in a fixed order.
func (a *affinity) sum() {
	a.strength, a.total = make([]float64, len(a.weights)), 0
	for v := range a.weights {
		a.strength[v] = a.loops[v]
		for _, u := range slices.Sorted(maps.Keys(a.weights[v])) {
			a.strength[v] += a.weights[v][u]
		}
		a.total += a.strength[v]
	}
}

// gain is what v adds to 2m·Q/2 with the members of a community, to which it has the weight w and which have the
// strength k without it.
func (a *affinity) gain(v int, w, k float64) float64 {
	if a.total == 0 {
		return 0
	}
	return w - a.gamma*a.strength[v]*k/a.total
}

// strengths are those of communities.
func (a *affinity) strengths(community []int) map[int]float64 {
	sums := map[int]float64{}
	for v, c := range community {
		sums[c] += a.strength[v]
	}
	return sums
}

// shares are q of each vertex.
func (a *affinity) shares(community []int) []float64 {
	shares, strengths := make([]float64, len(community)), a.strengths(community)
	for v, c := range community {
		within := a.loops[v]
		for u, w := range a.weights[v] {
			if community[u] == c {
				within += w
			}
		}
		if a.total > 0 {
			shares[v] = a.gain(v, within, strengths[c]) / a.total
		}
	}
	return shares
}

// separate fails where it would gain to merge two communities.
func (a *affinity) separate(g *algorithms.Graph, community []int) error {
	between, strengths := map[[2]int]float64{}, a.strengths(community)
	for v, c := range community {
		for u, w := range a.weights[v] {
			if d := community[u]; c < d {
				between[[2]int{c, d}] += w
			}
		}
	}
	for pair, w := range between {
		if w-a.gamma*strengths[pair[0]]*strengths[pair[1]]/a.total > 1e-9*a.total {
			return answer.WrongAt(g, pair[0], "its community and that of vertex %d would be better as one", g.IDs[pair[1]])
		}
	}
	return nil
}
