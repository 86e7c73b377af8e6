package algorithms

import (
	"math"
	"slices"
)

// Modularity of communities that are given, as a property of vertices: of each community its share of Q (see
// affinity), which all together sum up to it.
//
//	Q = Σ_c q(c),   q(c) = w_c/2m - γ·(k_c/2m)²;   w_c = Σ { A_vu : v, u ∈ c },   k_c = Σ { k_v : v ∈ c }
//
// O(m + n·log n), and 12 bytes a vertex. Newman, "Analysis of weighted networks", 2004, equation 9; Reichardt and
// Bornholdt 2006.
var modularity = &Algorithm{
	Name:    "modularity",
	Summary: "modularity of communities that a property tells",
	Source:  "Newman 2004; Reichardt and Bornholdt 2006",
	Params: []Param{communityParam(), weightParam("how strongly an edge joins its ends"),
		resolutionParam},
	Result: []Column{{Name: "modularity", Type: Float}, {Name: "community", Type: Int}},
	Shape:  OfGroups,
	Yield:  "communityId",
	// Terms of a difference are rounded.
	Approximate: true,
	Procedure:   &Procedure{Edges: BothSides, Adjacency: true, EdgeColumns: weightColumn},
	Oracle:      modularityOracle,
	Verify:      verifyGroups(modularityOracle),
	Figures:     func(result []Values) []Figure { return communityFigures(result[1:]) },
	Measures: func(result []Values) []Measure {
		return []Measure{{"modularity", sum(groupValues(result))}}
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
var conductance = &Algorithm{
	Name:      "conductance",
	Summary:   "conductance of communities that a property tells: which part of their edges leads out of them",
	Source:    "Yang and Leskovec 2012",
	Params:    []Param{communityParam(), weightParam("what an edge counts")},
	Result:    []Column{{Name: "conductance", Type: Float}, {Name: "community", Type: Int}},
	Shape:     OfGroups,
	Procedure: &Procedure{Edges: BothSides, Adjacency: true, EdgeColumns: weightColumn},
	Oracle:    conductanceOracle,
	Verify:    verifyGroups(conductanceOracle),
	Figures:   func(result []Values) []Figure { return communityFigures(result[1:]) },
	Measures: func(result []Values) []Measure {
		values := groupValues(result)
		return []Measure{{"mean conductance", sum(values) / float64(max(len(values), 1))}}
	},
}

func communityParam() Param {
	return Param{Name: "community", Type: ParamVertexProperty, Values: Int,
		Doc: "the vertex property, of whole numbers, that tells the community of each vertex"}
}

// groupValues are those of the first column, one of each group.
func groupValues(result []Values) []float64 {
	groups := Groups(result)
	values := make([]float64, len(groups))
	for i, v := range groups {
		values[i] = result[0].Floats[v]
	}
	return values
}

// ofCommunities makes a result of what each community has.
func ofCommunities(name string, communities []int64, of map[int64]float64) []Values {
	values := make([]float64, len(communities))
	for v, c := range communities {
		values[v] = of[c]
	}
	return append(floatResult(name, values), intResult("community", Int, slices.Clone(communities))...)
}

// modularityOracle adds up what each vertex has, by the definition of Q over pairs of vertices.
func modularityOracle(g *Graph, args Args) ([]Values, error) {
	communities, err := g.wholes(args, "community")
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
func conductanceOracle(g *Graph, args Args) ([]Values, error) {
	communities, err := g.wholes(args, "community")
	if err != nil {
		return nil, err
	}
	weights := g.Out.weights(args.Strings["weight"])
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
				return nil, wrongAt(g, v, "an edge of it weighs %v; conductance needs finite weights of 0 or more", w)
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

// verifyGroups computes anew what takes one pass over the edges.
func verifyGroups(oracle func(*Graph, Args) ([]Values, error)) func(*Graph, Args, []Values) error {
	return func(g *Graph, args Args, result []Values) error {
		want, err := oracle(g, args)
		if err != nil {
			return err
		}
		if err := shaped(g, result, want[0].Column, want[1].Column); err != nil {
			return err
		}
		if err := matches(g, result[1], want[1]); err != nil {
			return err
		}
		for v, x := range want[0].Floats { // what is left of a difference has the error of its terms, which are up to 1
			if got := result[0].Floats[v]; !(math.Abs(got-x) <= 1e-9) {
				return wrongAt(g, v, "%s %v, not %v", want[0].Name, got, x)
			}
		}
		return nil
	}
}
