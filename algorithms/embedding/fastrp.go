package embedding

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
	"github.com/penstock-db/penstock/algorithms/internal/param"
	"github.com/penstock-db/penstock/algorithms/internal/vector"
	"github.com/penstock-db/penstock/algorithms/random"
)

// FastRP embeds vertices: those with similar neighborhoods get vectors of similar direction. Each vertex draws a random
// vector; what its neighbors have is averaged, again and again; and the averages are added up, each scaled to length 1:
//
//	r(v)ₖ ∈ {1, -1, 0} with probabilities 1/6, 1/6, 2/3;   p₀(v) = d(v)^β · r(v), Σ { x(v)ⱼ·qⱼ }
//	pᵢ(v) = 1/d(v) · Σ { w(v,u)·pᵢ₋₁(u) : v → u }
//	embedding(v) = γ·p₀(v)/|p₀(v)| + Σᵢ αᵢ·pᵢ(v)/|pᵢ(v)|
//
// α are the iterationWeights, β is the normalizationStrength, γ the nodeSelfInfluence, and d(v) the number of edges
// that are gone along. Draws depend on the id of a vertex and on the seed, and not on the order of storage. A vector
// without length adds nothing; nor does a sum shorter than a millionth of the lengths of its terms, of which rounding
// is all that is left.
//
// The last numbers of a vector, a share of propertyRatio of them, are of the featureProperties x(v): each number of
// these has a vector qⱼ, drawn as r(v) is, and the same for all vertices.
//
// O(m · dimension) an iteration. Chen, Sultan, Tian, Chen, Skiena, "Fast and accurate network embeddings via very sparse
// random projection", CIKM 2019; parameters, features, and lengths of 1, as in Neo4j GDS.
var FastRP = &algorithms.Algorithm{
	Name:    "fastrp",
	Aliases: []string{"fast-random-projection"},
	Summary: "embeddings of vertices by random projection",
	Source:  "Chen, Sultan, Tian, Chen, Skiena 2019",
	Params: []algorithms.Param{
		{Name: fastRPWidth, Type: algorithms.ParamInt, Default: "128", Min: 1, Max: algorithms.MaxWidth,
			Doc: "numbers of an embedding"},
		{Name: "iterationWeights", Type: algorithms.ParamFloats, Default: "0,1,1",
			Doc: "what the average of each iteration counts; there are as many iterations as weights"},
		{Name: "normalizationStrength", Type: algorithms.ParamFloat, Default: "0", Min: -16, Max: 16,
			Doc: "power of its number of edges that a vertex' random vector is scaled with: below 0, many count for less"},
		{Name: "nodeSelfInfluence", Type: algorithms.ParamFloat, Default: "0", Min: -math.MaxFloat64, Max: math.MaxFloat64,
			Doc: "what a vertex' own random vector counts"},
		{Name: featureProperties, Type: algorithms.ParamVectors, Optional: true, Several: true,
			Doc: "the vertex properties, with commas in between, whose numbers, or lists of numbers, are features; without propertyRatio none is read"},
		{Name: propertyRatio, Type: algorithms.ParamFloat, Default: "0", Max: 1,
			Doc: "share of an embedding's numbers, the last ones, that are of features: rounded down"},
		param.Orientation("which edges lead to neighbors: natural, those out of a vertex; reverse, those into it; undirected, both"),
		param.OwnWeight("what a neighbor counts"),
		{Name: "seed", Type: algorithms.ParamInt, Default: "1", Doc: "draws other random vectors"},
	},
	Derive:      deriveFastRP,
	Result:      fastRPColumns(algorithms.Args{}),
	Procedure:   &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Approximate: true,
	Oracle:      fastRPOracle,
	Verify:      verifyFastRP,
}

const (
	fastRPWidth   = "embeddingDimension"
	propertyRatio = "propertyRatio"
)

func fastRPColumns(args algorithms.Args) []algorithms.Column {
	return []algorithms.Column{{Name: "embedding", Type: algorithms.Float, Width: fastRPWidth,
		Each: int(args.Ints[fastRPWidth])}}
}

// deriveFastRP refuses a share of features where there are none, or that comes to no number. What has no share is not
// read.
func deriveFastRP(args algorithms.Args) error {
	refuse := func(param, format string, values ...any) error {
		return &algorithms.ParamError{Algorithm: "fastrp", Param: param, Message: fmt.Sprintf(format, values...)}
	}
	ratio, width := args.Floats[propertyRatio], args.Ints[fastRPWidth]
	switch named := args.Strings[featureProperties] != ""; {
	case ratio == 0:
		delete(args.Strings, featureProperties)
		delete(args.Ints, featureProperties)
	case !named:
		return refuse(featureProperties, "is missing: by %s=%v numbers of an embedding are of a vertex property: name it",
			propertyRatio, ratio)
	case FastRPFeatures(args) == 0:
		return refuse(propertyRatio, "is %v, which comes to none of %d numbers of an embedding: give more than 1/%d, or a larger %s",
			ratio, width, width, fastRPWidth)
	}
	return nil
}

// FastRPFeatures is how many numbers of an embedding are of features.
func FastRPFeatures(args algorithms.Args) int {
	return int(float64(args.Ints[fastRPWidth]) * args.Floats[propertyRatio])
}

// FastRPFeatureSigns draws the random vector of a number of the features: 1, -1 and 0. It is not that of a vertex.
func FastRPFeatureSigns(number int, seed int64, vector []float64) {
	draws := random.New(seed)
	FastRPSigns(int64(number), int64(draws.Next()), vector)
}

// FastRPSigns draws the random vector of a vertex: 1, -1 and 0.
func FastRPSigns(id, seed int64, vector []float64) {
	state := random.Mix(id, uint64(seed))
	for k := range vector {
		state += 0x9e3779b97f4a7c15
		vector[k] = sixSigns[random.Mix(int64(state), 0)>>32*6>>32]
	}
}

// sixSigns are the numbers that are drawn. A table of them is sooner than branches that nobody can foretell.
var sixSigns = [6]float64{1, -1}

// FastRPScale is what a vector that was added up counts, so that it has length 1: 1/length, or 0 where that is only
// rounding of terms of these lengths together.
func FastRPScale(length, terms float64) (float64, error) {
	switch {
	case math.IsInf(terms, 0) || terms != terms:
		return 0, errors.New("what its neighbors have, by their weights, is too large to be added up")
	case FastRPCancels(length, terms):
		return 0, nil
	}
	return 1 / length, nil
}

// FastRPCancels tells whether a sum of this length is only rounding of terms of these lengths together.
func FastRPCancels(length, terms float64) bool { return length <= terms*1e-6 }

// projections are vectors of vertices under way, and their lengths.
type projections struct {
	vectors [][]float64
	lengths []float64
}

func fastRPOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	embedding := algorithms.NewValues(fastRPColumns(args)[0], g.N())
	p, degree, err := drawn(g, args)
	if err != nil {
		return nil, err
	}
	add := func(weight, terms float64, v int) (kept bool, err error) {
		scale, err := FastRPScale(p.lengths[v], terms)
		for k, x := range p.vectors[v] {
			embedding.Floats[v*embedding.Per()+k] += weight * scale * x
		}
		if err != nil {
			err = fmt.Errorf("fastrp: vertex %d: %w", g.IDs[v], err)
		}
		return scale != 0, err
	}
	for v := range p.vectors {
		if _, err := add(args.Floats["nodeSelfInfluence"], p.lengths[v], v); err != nil {
			return nil, err
		}
	}
	for _, weight := range args.Lists["iterationWeights"] {
		next, terms := p.averaged(g, args, degree)
		p = next
		for v := range p.vectors {
			kept, err := add(weight, terms[v], v)
			if err != nil {
				return nil, err
			}
			if !kept {
				clear(p.vectors[v])
				p.lengths[v] = 0
			}
		}
	}
	return []algorithms.Values{embedding}, nil
}

// drawn are the vectors that vertices begin with, and the number of edges of each.
func drawn(g *algorithms.Graph, args algorithms.Args) (p projections, degree []float64, err error) {
	features, err := featured(g, args)
	if err != nil {
		return p, nil, err
	}
	for v, id := range g.IDs {
		own, d := make([]float64, args.Ints[fastRPWidth]), 0
		for _, lists := range neighborhood.Sides(g, args.Strings["orientation"]) {
			d += len(lists.Of(v))
		}
		signs := own[:len(own)-FastRPFeatures(args)]
		FastRPSigns(id, args.Ints["seed"], signs)
		for k := range signs {
			signs[k] *= math.Pow(float64(max(1, d)), args.Floats["normalizationStrength"])
		}
		copy(own[len(signs):], features[v])
		p.vectors, p.lengths = append(p.vectors, own), append(p.lengths, vector.Norm(own))
		degree = append(degree, float64(max(1, d)))
	}
	return p, degree, nil
}

// featured are what vectors have of features, of each vertex.
func featured(g *algorithms.Graph, args algorithms.Args) ([][]float64, error) {
	parts := make([][]float64, g.N())
	if FastRPFeatures(args) == 0 {
		return parts, nil
	}
	numbers, err := argument.Vectors(g, strings.Split(args.Strings[featureProperties], ",")...)
	if err != nil {
		return nil, err
	}
	for v := range parts {
		part, signs, terms := make([]float64, FastRPFeatures(args)), make([]float64, FastRPFeatures(args)), 0.0
		for j, x := range numbers[v] {
			FastRPFeatureSigns(j, args.Ints["seed"], signs)
			for k, sign := range signs {
				part[k] += float64(x) * sign
			}
			terms += math.Abs(float64(x)) * vector.Norm(signs)
		}
		if FastRPCancels(vector.Norm(part), terms) {
			clear(part)
		}
		parts[v] = part
	}
	return parts, nil
}

// averaged are the next vectors, and the lengths of what each was added up of, together.
func (p projections) averaged(g *algorithms.Graph, args algorithms.Args, degree []float64) (next projections,
	terms []float64) {
	terms = make([]float64, g.N())
	for v := range p.vectors {
		own := make([]float64, len(p.vectors[v]))
		for _, lists := range neighborhood.Sides(g, args.Strings["orientation"]) {
			weights := lists.Weights(args.Strings["weight"])
			for i := lists.Offsets[v]; i < lists.Offsets[v+1]; i++ {
				u, w := lists.Neighbors[i], weights[i]/degree[v]
				for k, x := range p.vectors[u] {
					own[k] += w * x
				}
				terms[v] += math.Abs(w) * p.lengths[u]
			}
		}
		next.vectors, next.lengths = append(next.vectors, own), append(next.lengths, vector.Norm(own))
	}
	return next, terms
}

// verifyFastRP compares with the oracle: a millionth of what all parts count may have been lost by rounding.
func verifyFastRP(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, fastRPColumns(args)...); err != nil {
		return err
	}
	want, err := fastRPOracle(g, args)
	if err != nil {
		return err
	}
	slack := math.Abs(args.Floats["nodeSelfInfluence"])
	for _, weight := range args.Lists["iterationWeights"] {
		slack += math.Abs(weight)
	}
	for i, x := range result[0].Floats {
		if y := want[0].Floats[i]; !(math.Abs(x-y) <= 1e-6*slack) {
			return answer.WrongAt(g, i/result[0].Per(), "number %d of its embedding is %v, not %v", i%result[0].Per(), x, y)
		}
	}
	return nil
}
