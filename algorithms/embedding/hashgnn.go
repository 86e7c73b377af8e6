package embedding

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
	"github.com/penstock-db/penstock/algorithms/internal/param"
	"github.com/penstock-db/penstock/algorithms/random"
)

// HashGNN embeds vertices by hashing: those with similar features and neighborhoods get many numbers in common. A
// vertex has a set of features. K times an iteration, it passes on the one whose hash is least, and keeps the least of
// its own and of those that its neighbors pass on:
//
//	F₀(v) ⊆ {0 … D-1}: its vector, of 0 and 1; or on which side of D random planes its vector lies; or drawn
//	pₖ(u) = argmin { a hash of f : f ∈ Fᵢ₋₁(u) }
//	near  = argmin { nₖ(f) : f = pₖ(u), v → u },   own = argmin { sₖ(f) : f ∈ Fᵢ₋₁(v) }
//	Fᵢ(v) = { near, if nₖ(near) < λ·sₖ(own), else own : k = 1 … K }
//	embedding(v)_f = 1, if f ∈ F(v), else 0; or a sparse random projection of that (Achlioptas 2003) to fewer numbers
//
// K is the embeddingDensity, D the number of features. λ is the neighborInfluence, times the mean size of Fᵢ₋₁, divided
// by how many different features as many draws come to as the mean vertex has edges: D·(1 - (1-1/D)^(m/n)). It makes up
// for the many hashes of which the least of the neighbors is one. Draws depend on the seed, on ids, and on the numbers
// of features. O((n·K + m)·K) an iteration, after the first. Wu, Li, Luo, Nejdl, "Hashing-accelerated graph neural
// networks for link prediction", WWW 2021 (nothing is learned, as it is in Tan et al., WWW 2020, who call theirs
// HashGNN); parameters, λ, and what features are made of, as in Neo4j GDS.
var HashGNN = &algorithms.Algorithm{
	Name:    "hashgnn",
	Aliases: []string{"hash-gnn"},
	Summary: "embeddings of vertices by hashing features of neighbors",
	Source:  "Wu, Li, Luo, Nejdl 2021",
	Params: []algorithms.Param{
		{Name: "iterations", Type: algorithms.ParamInt, Min: 1, Max: maxHashings,
			Doc: "how far features are passed on"},
		{Name: hashDensity, Type: algorithms.ParamInt, Min: 1, Max: maxHashings,
			Doc: "features that a vertex keeps in an iteration, at most: K of the paper"},
		{Name: "neighborInfluence", Type: algorithms.ParamFloat, Default: "1", Max: 1e9,
			Doc: "how much neighbors' features count beside a vertex' own: with 0, not at all"},
		{Name: featureProperties, Type: algorithms.ParamVectors, Optional: true, Several: true,
			Doc: "the vertex properties, with commas in between, whose vectors are features: numbers that are 0 or 1, but for binarizeFeatures"},
		{Name: binarizeDimension, Type: algorithms.ParamInt, Optional: true, Min: 1, Max: algorithms.MaxWidth,
			Doc: "makes so many features of a vector of any numbers: on which side of random planes it lies"},
		{Name: binarizeThreshold, Type: algorithms.ParamFloat, Optional: true, Min: -math.MaxFloat64, Max: math.MaxFloat64,
			Doc: "a vertex has a feature where its vector times the normal of the plane is above this; without it, 0"},
		{Name: generateDimension, Type: algorithms.ParamInt, Optional: true, Min: 1, Max: algorithms.MaxWidth,
			Doc: "without featureProperties: of so many features each vertex draws some"},
		{Name: generateDensity, Type: algorithms.ParamInt, Optional: true, Min: 1, Max: algorithms.MaxWidth,
			Doc: "how often it draws one"},
		{Name: outputDimension, Type: algorithms.ParamInt, Optional: true, Min: 1, Max: algorithms.MaxWidth,
			Doc: "numbers of an embedding; without it, there is one of each feature, 0 or 1"},
		param.Orientation("which edges lead to neighbors: natural, those out of a vertex; reverse, those into it; undirected, both"),
		{Name: "seed", Type: algorithms.ParamInt, Default: "1", Doc: "draws other features, planes and hashes"},
	},
	Derive:    deriveHashGNN,
	Result:    hashGNNColumns(algorithms.Args{}),
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    hashGNNOracle,
	Verify:    verifyHashGNN,
}

const (
	hashDensity       = "embeddingDensity"
	featureProperties = "featureProperties"
	binarizeDimension = "binarizeFeatures.dimension"
	binarizeThreshold = "binarizeFeatures.threshold"
	generateDimension = "generateFeatures.dimension"
	generateDensity   = "generateFeatures.densityLevel"
	outputDimension   = "outputDimension"
	hashGNNWidth      = "embeddingDimension" // derived

	maxHashings = 1 << 16
)

func hashGNNColumns(args algorithms.Args) []algorithms.Column {
	return []algorithms.Column{{Name: "embedding", Type: algorithms.Float, Width: hashGNNWidth,
		Each: int(args.Ints[hashGNNWidth])}}
}

// deriveHashGNN refuses what does not tell where features come from, and enters how many numbers an embedding has.
func deriveHashGNN(args algorithms.Args) error {
	given := func(name string) bool {
		_, whole := args.Ints[name]
		_, float := args.Floats[name]
		return whole || float
	}
	refuse := func(param, format string, values ...any) error {
		return &algorithms.ParamError{Algorithm: "hashgnn", Param: param, Message: fmt.Sprintf(format, values...)}
	}
	generates := given(generateDimension) || given(generateDensity)
	switch named := args.Strings[featureProperties] != ""; {
	case !named && !generates:
		return refuse(featureProperties, "is missing: name a vertex property of numbers, or of lists of numbers; or give %s and %s, and features are drawn",
			generateDimension, generateDensity)
	case named && generates:
		return refuse(featureProperties, "does not go with generateFeatures: leave out one of them")
	case generates && !given(generateDimension):
		return refuse(generateDimension, "is missing: how many features there are")
	case generates && !given(generateDensity):
		return refuse(generateDensity, "is missing: how often each vertex draws one of %s=%d", generateDimension,
			args.Ints[generateDimension])
	case generates && args.Ints[generateDensity] > args.Ints[generateDimension]:
		return &algorithms.ParamError{Algorithm: "hashgnn", Param: generateDensity,
			Value:   strconv.FormatInt(args.Ints[generateDensity], 10),
			Message: fmt.Sprintf("expected at most %s=%d", generateDimension, args.Ints[generateDimension])}
	case generates && given(binarizeDimension):
		return refuse(binarizeDimension, "has nothing to make features of: features that are drawn are 0 or 1")
	case given(binarizeThreshold) && !given(binarizeDimension):
		return refuse(binarizeDimension, "is missing: how many features there are by %s", binarizeThreshold)
	}
	args.Ints[hashGNNWidth] = int64(NewHashing(args).Features)
	if width, projects := args.Ints[outputDimension]; projects {
		args.Ints[hashGNNWidth] = width
	}
	return nil
}

// Hashing is what HashGNN draws.
type Hashing struct {
	algorithms.Args
	Features int // that there are
}

// NewHashing is that of arguments.
func NewHashing(args algorithms.Args) Hashing {
	// Of the three at most one is above 0, but that planes count for vectors.
	features := max(args.Ints[generateDimension], args.Ints[featureProperties])
	if planes := args.Ints[binarizeDimension]; planes > 0 {
		features = planes
	}
	return Hashing{args, int(features)}
}

// Hash is the hash of a feature, and has the feature itself in its last 16 bits: so the least one tells which it is of.
type Hash uint64

// NoHash is above all others.
const NoHash = Hash(math.MaxUint64)

// Feature is what the hash is of.
func (h Hash) Feature() int { return int(h & (algorithms.MaxWidth - 1)) }

// Below tells whether h is less than so many times another; if that is none, whether it is so any times at all.
func (h Hash) Below(influence float64, other Hash) bool {
	switch {
	case h == NoHash:
		return false
	case other == NoHash:
		return influence > 0
	}
	return float64(h/algorithms.MaxWidth) < influence*float64(other/algorithms.MaxWidth)
}

// HashUse is what hashes of features are compared for.
type HashUse int64

// Features are passed on by their hashes for Passing; the least for Near of what neighbors pass on is compared with the
// least for Own of a vertex itself.
const (
	Passing HashUse = iota
	Near
	Own
)

// Hashes are those of all features, for a use in round k of an iteration.
func (h Hashing) Hashes(iteration, k int, use HashUse, hashes []Hash) {
	draws := random.New(h.Ints["seed"], int64(iteration), int64(k), int64(use))
	for f := range hashes {
		hashes[f] = Hash(draws.Next()&^(algorithms.MaxWidth-1) | uint64(f))
	}
}

// Influence is how many times the hash of its own a vertex' neighbors' may be, at most. Edges lead to neighbors; kept
// are the features of all vertices together.
func (h Hashing) Influence(vertices, edges, kept uint64) float64 {
	influence := h.Floats["neighborInfluence"]
	if edges == 0 || vertices == 0 {
		return influence
	}
	d := float64(h.Features)
	different := d * -math.Expm1(float64(edges)/float64(vertices)*math.Log1p(-1/d))
	return influence * float64(kept) / float64(vertices) / different
}

// Draw gives a vertex its first features, where these are drawn.
func (h Hashing) Draw(id int64, set func(feature int)) {
	draws := random.New(h.Ints["seed"], id)
	for range h.Ints[generateDensity] {
		set(draws.Below(h.Features))
	}
}

// Planes tells whether features are the sides of planes.
func (h Hashing) Planes() bool { return h.Ints[binarizeDimension] > 0 }

// Normals are number i of the normals of all planes: of normal distribution (Box and Muller 1958).
func (h Hashing) Normals(i int, numbers []float64) {
	draws := random.New(h.Ints["seed"], int64(i))
	for f := range numbers {
		radius := math.Sqrt(-2 * math.Log(1-draws.Share()))
		numbers[f] = radius * math.Cos(2*math.Pi*draws.Share())
	}
}

// Sides gives a vertex the features for which its vector is above the plane. Products are of its size.
func (h Hashing) Sides(vector []float32, normals [][]float64, products []float64, set func(feature int)) {
	clear(products)
	for i, x := range vector {
		if x == 0 {
			continue
		}
		for f, normal := range normals[i] {
			products[f] += float64(float64(x) * normal) // rounded here, on every processor
		}
	}
	for f, product := range products {
		if product > h.Floats[binarizeThreshold] {
			set(f)
		}
	}
}

// Given gives a vertex the features that its vector has, of numbers that are 0 or 1.
func (h Hashing) Given(vector []float32, set func(feature int)) error {
	for f, x := range vector {
		switch x {
		case 1:
			set(f)
		case 0:
		default:
			return fmt.Errorf("number %d of its %s is %v, and no feature, which are 0 or 1; give %s", f,
				h.Strings[featureProperties], x, binarizeDimension)
		}
	}
	return nil
}

// Projection is what a feature adds to the numbers of an embedding of so many.
func (h Hashing) Projection(feature int, numbers []float64) {
	FastRPSigns(int64(feature), h.Ints["seed"], numbers)
	scale := math.Sqrt(3 / float64(len(numbers)))
	for k := range numbers {
		numbers[k] *= scale
	}
}

// hashGNNOracle goes by the definition.
func hashGNNOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	h := NewHashing(args)
	sets, err := h.first(g)
	if err != nil {
		return nil, err
	}
	for i := range int(args.Ints["iterations"]) {
		sets = h.iterate(g, i, sets)
	}
	embedding := algorithms.NewValues(hashGNNColumns(args)[0], g.N())
	_, projects := args.Ints[outputDimension]
	numbers := make([]float64, embedding.Per())
	for v, set := range sets {
		row := embedding.Floats[v*embedding.Per():][:embedding.Per()]
		for _, f := range set {
			if !projects {
				row[f] = 1
				continue
			}
			h.Projection(f, numbers)
			for k, x := range numbers {
				row[k] += x
			}
		}
	}
	return []algorithms.Values{embedding}, nil
}

// first are the features that vertices begin with, ascending.
func (h Hashing) first(g *algorithms.Graph) (sets [][]int, err error) {
	var vectors [][]float32
	var normals [][]float64
	if h.Strings[featureProperties] != "" {
		if vectors, err = argument.Vectors(g, strings.Split(h.Strings[featureProperties], ",")...); err != nil {
			return nil, err
		}
	}
	if h.Planes() {
		for i := range h.Ints[featureProperties] {
			normals = append(normals, make([]float64, h.Features))
			h.Normals(int(i), normals[i])
		}
	}
	for v, id := range g.IDs {
		var set []int
		add := func(f int) { set = append(set, f) }
		switch {
		case vectors == nil:
			h.Draw(id, add)
		case h.Planes():
			h.Sides(vectors[v], normals, make([]float64, h.Features), add)
		default:
			err = h.Given(vectors[v], add)
		}
		if err != nil {
			return nil, fmt.Errorf("hashgnn: vertex %d: %w", id, err)
		}
		slices.Sort(set)
		sets = append(sets, slices.Compact(set))
	}
	return sets, nil
}

// iterate are the next features.
func (h Hashing) iterate(g *algorithms.Graph, iteration int, sets [][]int) [][]int {
	next := make([][]int, len(sets))
	lists := neighborhood.Sides(g, h.Strings["orientation"])
	edges, kept := 0, 0
	for v := range sets {
		kept += len(sets[v])
		for _, l := range lists {
			edges += len(l.Of(v))
		}
	}
	influence := h.Influence(uint64(g.N()), uint64(edges), uint64(kept))
	var hashes [3][]Hash
	for k := range int(h.Ints[hashDensity]) {
		for use := range hashes {
			hashes[use] = make([]Hash, h.Features)
			h.Hashes(iteration, k, HashUse(use), hashes[use])
		}
		for v := range sets {
			near, own := NoHash, least(sets[v], hashes[Own])
			for _, l := range lists {
				for _, u := range l.Of(v) {
					if passed := least(sets[u], hashes[Passing]); passed != NoHash {
						near = min(near, hashes[Near][passed.Feature()])
					}
				}
			}
			if near.Below(influence, own) {
				own = near
			}
			if own != NoHash {
				next[v] = append(next[v], own.Feature())
			}
		}
	}
	for v := range next {
		slices.Sort(next[v])
		next[v] = slices.Compact(next[v])
	}
	return next
}

// least is the least hash of features.
func least(set []int, hashes []Hash) Hash {
	found := NoHash
	for _, f := range set {
		found = min(found, hashes[f])
	}
	return found
}

// verifyHashGNN compares with the oracle.
func verifyHashGNN(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, hashGNNColumns(args)...); err != nil {
		return err
	}
	want, err := hashGNNOracle(g, args)
	if err != nil {
		return err
	}
	for i, x := range result[0].Floats {
		if y := want[0].Floats[i]; !(math.Abs(x-y) <= 1e-9*float64(NewHashing(args).Features)) {
			return answer.WrongAt(g, i/result[0].Per(), "number %d of its embedding is %v, not %v", i%result[0].Per(), x, y)
		}
	}
	return nil
}
