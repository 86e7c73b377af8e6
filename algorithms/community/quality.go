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

// Modularity of communities that are given, as a property of vertices: of each community its share of Q (see
// affinity), which all together sum up to it.
//
//	Q = Σ_c q(c),   q(c) = w_c/2m - γ·(k_c/2m)²;   w_c = Σ { A_vu : v, u ∈ c },   k_c = Σ { k_v : v ∈ c }
//
// O(m + n·log n), and 12 bytes a vertex. Newman, "Analysis of weighted networks", 2004, equation 9; Reichardt and
// Bornholdt 2006.
var Modularity = &algorithms.Algorithm{
	Name:    "modularity",
	Summary: "modularity of communities that a property tells",
	Source:  "Newman 2004; Reichardt and Bornholdt 2006",
	Params: []algorithms.Param{communityParam(), param.Weight("how strongly an edge joins its ends"),
		resolutionParam},
	Result: []algorithms.Column{{Name: "modularity", Type: algorithms.Float}, {Name: "community", Type: algorithms.Int}},
	Shape:  algorithms.OfGroups,
	Yield:  "communityId",
	// Terms of a difference are rounded.
	Approximate: true,
	Procedure:   &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:      modularityOracle,
	Verify:      answer.Groups(modularityOracle),
	Figures:     func(result []algorithms.Values) []algorithms.Figure { return communityFigures(result[1:]) },
	Measures: func(result []algorithms.Values) []algorithms.Measure {
		return []algorithms.Measure{{Name: "modularity", Value: vector.Sum(groupValues(result))}}
	},
}

// Conductance of communities that are given, as a property of vertices: which part of the weight of their edges leads
// out of them. It is 0 of a community without edges.
//
//	φ(c) = Σ { A_vu : v ∈ c, u ∉ c } / Σ { A_vu : v ∈ c }
//
// A_vu is the weight of all edges from v to u, along their direction; in an undirected graph A_vv is twice that of
// loops. O(m + n·log n), and 12 bytes a vertex. Yang and Leskovec, "Defining and evaluating network communities based
// on ground-truth", 2012, section 2.2 (f = c_S/(2m_S+c_S)); so has Neo4j GDS it. NetworkX divides by the weight of the
// others' edges where that is less.
var Conductance = &algorithms.Algorithm{
	Name:    "conductance",
	Summary: "conductance of communities that a property tells: which part of their edges leads out of them",
	Source:  "Yang and Leskovec 2012",
	Params:  []algorithms.Param{communityParam(), param.Weight("what an edge counts")},
	Result: []algorithms.Column{{Name: "conductance", Type: algorithms.Float},
		{Name: "community", Type: algorithms.Int}},
	Shape:     algorithms.OfGroups,
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:    conductanceOracle,
	Verify:    answer.Groups(conductanceOracle),
	Figures:   func(result []algorithms.Values) []algorithms.Figure { return communityFigures(result[1:]) },
	Measures: func(result []algorithms.Values) []algorithms.Measure {
		values := groupValues(result)
		return []algorithms.Measure{{Name: "mean conductance", Value: vector.Sum(values) / float64(max(len(values), 1))}}
	},
}

func communityParam() algorithms.Param {
	return algorithms.Param{Name: "community", Type: algorithms.ParamVertexProperty, Values: algorithms.Int,
		Doc: "the vertex property, of whole numbers, that tells the community of each vertex"}
}

// groupValues are those of the first column, one of each group.
func groupValues(result []algorithms.Values) []float64 {
	groups := algorithms.Groups(result)
	values := make([]float64, len(groups))
	for i, v := range groups {
		values[i] = result[0].Floats[v]
	}
	return values
}

// ofCommunities makes a result of what each community has.
func ofCommunities(name string, communities []int64, of map[int64]float64) []algorithms.Values {
	values := make([]float64, len(communities))
	for v, c := range communities {
		values[v] = of[c]
	}
	return append(answer.Floats(name, values), answer.Ints("community", algorithms.Int, slices.Clone(communities))...)
}

// modularityOracle adds up what each vertex has, by the definition of Q over pairs of vertices.
func modularityOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	communities, err := argument.Wholes(g, args, "community")
	if err != nil {
		return nil, err
	}
	a, err := newAffinity(g, args)
	if err != nil {
		return nil, err
	}
	first, members, of := map[int64]int{}, make([]int, g.N()), map[int64]float64{}
	for v, c := range communities {
		if _, known := first[c]; !known {
			first[c] = v
		}
		members[v] = first[c]
	}
	for v, share := range a.shares(members) {
		of[communities[v]] += share
	}
	return ofCommunities("modularity", communities, of), nil
}

// conductanceOracle goes over all edges of each community.
func conductanceOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	communities, err := argument.Wholes(g, args, "community")
	if err != nil {
		return nil, err
	}
	weights := g.Out.Weights(args.Strings["weight"])
	largest := 0.0
	for _, w := range weights {
		largest = max(largest, w)
	}
	_, exponent := math.Frexp(largest)
	leaving, all, of := map[int64]float64{}, map[int64]float64{}, map[int64]float64{}
	for v, c := range communities {
		for k, u := range g.Out.Of(v) {
			w := weights[g.Out.Offsets[v]+k]
			if w < 0 || w-w != 0 {
				return nil, answer.WrongAt(g, v, "an edge of it weighs %v; conductance needs finite weights of 0 or more", w)
			}
			w = math.Ldexp(w, -exponent) // the unit does not matter, and so no sum overflows
			switch {
			case !g.Directed && int(u) == v:
				all[c] += 2 * w
			default:
				all[c] += w
			}
			if communities[u] != c {
				leaving[c] += w
			}
		}
	}
	for c, w := range all {
		if w > 0 {
			of[c] = leaving[c] / w
		}
	}
	return ofCommunities("conductance", communities, of), nil
}
