package similarity

import (
	"cmp"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
)

// KNN gives each vertex those whose vectors are most similar to its own, wherever they are: a list of pairs, highest
// first, of the same similarity by ids.
//
//	cosine    = Σ aₖ·bₖ / (|a|·|b|); where either has no length there is none, and no pair
//	pearson   = cosine of a and b, each less the mean of its numbers
//	euclidean = 1 / (1 + |a - b|); of vectors of one number 1 / (1 + |a₁ - b₁|)
//
// By brute force it is exact, and takes n² comparisons. Otherwise trees of random projections (Dasgupta and Freund,
// "Random projection trees and low dimensional manifolds", STOC 2008) give each vertex some others to begin with, and
// NN-descent, for which its paper measures about n^1.14, compares neighbors of neighbors, until no more than
// deltaThreshold of all entries of lists are new. Lists are of half as many again as topK, but at most 16 more, and of
// 16 at least. It finds most of the most similar, the fewer the more dimensions vectors fill, and what it tells of them
// is exact. Dong, Moses, Li, "Efficient k-nearest neighbor graph construction for generic similarity measures", WWW
// 2011, section 2; parameters as in Neo4j GDS, which has no trees.
var KNN = &algorithms.Algorithm{
	Name:    "knn",
	Aliases: []string{"k-nearest-neighbors"},
	Summary: "for each vertex those with the most similar vectors",
	Source:  "Dong, Moses, Li 2011",
	Params: []algorithms.Param{
		{Name: "nodeProperties", Type: algorithms.ParamVectors,
			Doc: "the vertex property whose vectors, or numbers, are compared"},
		topKParam(),
		{Name: "similarityMetric", Type: algorithms.ParamChoice, Choices: []string{"cosine", "euclidean", "pearson"},
			Optional: true,
			Doc:      "how similarity is measured; if not given, cosine, and euclidean of vectors of one number"},
		{Name: "similarityCutoff", Type: algorithms.ParamFloat, Default: "0", Min: -1, Max: 1,
			Doc: "the least similarity that is told"},
		{Name: "mode", Type: algorithms.ParamChoice, Choices: []string{"auto", "exact", "descent"}, Default: "auto",
			Doc: "exact compares all vertices with each other, descent neighbors of neighbors; auto is exact where that takes little"},
		{Name: "sampleRate", Type: algorithms.ParamFloat, Default: "0.5", Min: 1e-9, Max: 1,
			Doc: "of descent: which part of new neighbors is compared in an iteration, with as many old ones"},
		{Name: "deltaThreshold", Type: algorithms.ParamFloat, Default: "0.001", Max: 1,
			Doc: "descent ends when no more than this part of all neighbors is new"},
		{Name: "iterations", Type: algorithms.ParamInt, Default: "100", Min: 1, Max: math.MaxInt32,
			Doc: "of descent, at most"},
		{Name: "randomJoins", Type: algorithms.ParamInt, Default: "10", Max: algorithms.MaxWidth,
			Doc: "of descent: vertices that each is compared with in an iteration, drawn from all for 32 at a time"},
		{Name: "seed", Type: algorithms.ParamInt, Default: "1",
			Doc: "draws other trees, and other neighbors that are compared"},
		filterParam(sourceFilter, "only vertices where it is not 0 are given pairs"),
		filterParam(targetFilter, "pairs are only with vertices where it is not 0; all are compared then, whatever the mode"),
	},
	Result:    pairColumns("similarity", algorithms.Args{}),
	Shape:     algorithms.OfPairs,
	Procedure: &algorithms.Procedure{Edgeless: true, EdgeColumns: argument.NoEdgeColumns},
	// Descent leaves out some.
	Approximate: true,
	Oracle:      knnOracle,
	Verify:      verifyKNN,
	Figures:     answer.Pairs,
}

// KNNExact is how many vertices auto compares with each other, at most. Of FastRP's vectors of 64 numbers of RMAT 15,
// which has so many, brute force takes as much of processors' time as trees and NN-descent, 1.4 s; of twice as many 1.2
// times as much.
const KNNExact = 32768

// KNNIsExact tells whether so many vertices are compared with each other.
func KNNIsExact(args algorithms.Args, n int) bool {
	if args.Strings[targetFilter] != "" { // neighbors of neighbors may all be left out
		return true
	}
	switch args.Strings["mode"] {
	case "exact":
		return true
	case "descent":
		return n <= 1+int(args.Ints["topK"])
	}
	return n <= max(KNNExact, 1+int(args.Ints["topK"]))
}

// VectorMetric is how vectors are compared.
type VectorMetric string

// The metrics of KNN.
const (
	Cosine    VectorMetric = "cosine"
	Euclidean VectorMetric = "euclidean"
	Pearson   VectorMetric = "pearson"
)

// KNNMetric is the one that is asked for, or that suits the vectors.
func KNNMetric(args algorithms.Args) VectorMetric {
	metric := VectorMetric(args.Strings["similarityMetric"])
	if metric == "" && args.Ints["nodeProperties"] == 1 {
		return Euclidean
	}
	return cmp.Or(metric, Cosine)
}

// Similarity is that of two vectors of as many numbers; NaN: there is none, for one has no direction.
func (m VectorMetric) Similarity(a, b []float32) float64 {
	if m == Euclidean {
		return 1 / (1 + math.Sqrt(squaredDistance(a, b)))
	}
	ma, mb := m.Origin(a), m.Origin(b)
	dot, aa, bb := 0.0, 0.0, 0.0
	for k := range a {
		x, y := float64(a[k])-ma, float64(b[k])-mb
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return math.NaN()
	}
	return max(-1, min(dot/(math.Sqrt(aa)*math.Sqrt(bb)), 1))
}

// Origin is what the angle of a vector is measured from: of Pearson the mean of its numbers, else 0.
func (m VectorMetric) Origin(a []float32) float64 {
	if m != Pearson {
		return 0
	}
	sum := 0.0
	for _, x := range a {
		sum += float64(x)
	}
	return sum / float64(len(a))
}

func squaredDistance(a, b []float32) (square float64) {
	for k := range a {
		d := float64(a[k]) - float64(b[k])
		square += d * d
	}
	return square
}

// knnOracle compares every vertex with every other.
func knnOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	vectors, err := argument.Vectors(g, args.Strings["nodeProperties"])
	if err != nil {
		return nil, err
	}
	filter, err := pairFilter(g, args)
	if err != nil {
		return nil, err
	}
	metric, cutoff := KNNMetric(args), args.Floats["similarityCutoff"]
	columns := pairColumns("similarity", args)
	result := []algorithms.Values{algorithms.NewValues(columns[0], g.N()), algorithms.NewValues(columns[1], g.N())}
	for v := range vectors {
		var pairs []scored
		for u := range vectors {
			if s := metric.Similarity(vectors[v], vectors[u]); u != v && s >= cutoff && filter.From(v) && filter.To(u) {
				pairs = append(pairs, scored{g.IDs[u], s})
			}
		}
		writePairs(result, v, pairs, Rule{})
	}
	return result, nil
}

// verifyKNN compares with the oracle where all have been compared. Else it checks that pairs have the similarity that
// is told, in order: nothing says which are left out.
func verifyKNN(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	if KNNIsExact(args, g.N()) {
		want, err := knnOracle(g, args)
		if err != nil {
			return err
		}
		return verifyPairs(g, result, want)
	}
	if err := answer.Shaped(g, result, pairColumns("similarity", args)...); err != nil {
		return err
	}
	vectors, err := argument.Vectors(g, args.Strings["nodeProperties"])
	if err != nil {
		return err
	}
	filter, err := pairFilter(g, args)
	if err != nil {
		return err
	}
	places := make(map[int64]int, g.N())
	for v, id := range g.IDs {
		places[id] = v
	}
	for v := range vectors {
		from, to := v*result[0].Per(), (v+1)*result[0].Per()
		if !filter.From(v) && slices.ContainsFunc(result[0].Ints[from:to],
			func(id int64) bool { return id != algorithms.Unreached }) {
			return answer.WrongAt(g, v, "it has pairs; its %s is 0", sourceFilter)
		}
		pairs := likeliest{g: g, v: v, places: places, ids: result[0].Ints[from:to], scores: result[1].Floats[from:to]}
		if err := pairs.check(KNNMetric(args), vectors, args.Floats["similarityCutoff"]); err != nil {
			return err
		}
	}
	return nil
}

// likeliest are the pairs of a vertex.
type likeliest struct {
	g      *algorithms.Graph
	v      int
	places map[int64]int // of vertices, by their ids
	ids    []int64
	scores []float64
}

// check compares each pair with its definition: ids are those of other vertices, each once, similarities are theirs,
// and come in order.
func (l likeliest) check(metric VectorMetric, vectors [][]float32, cutoff float64) error {
	seen := map[int64]bool{l.g.IDs[l.v]: true}
	for i, id := range l.ids {
		x := l.scores[i]
		if id == algorithms.Unreached {
			if x == x || slices.ContainsFunc(l.ids[i:], func(later int64) bool { return later != algorithms.Unreached }) {
				return answer.WrongAt(l.g, l.v, "pair %d has no vertex, and similarity %v, or is followed by another", i, x)
			}
			return nil
		}
		u, known := l.places[id]
		if !known || seen[id] {
			return answer.WrongAt(l.g, l.v, "pair %d is with %d, which is no vertex, itself, or another's", i, id)
		}
		seen[id] = true
		if y := metric.Similarity(vectors[l.v], vectors[u]); !answer.Near(x, y) || x < cutoff {
			return answer.WrongAt(l.g, l.v, "the similarity with %d is %v, not %v, of %v at least", id, x, y, cutoff)
		}
		if before := i - 1; i > 0 && (l.scores[before] < x || l.scores[before] == x && l.ids[before] >= id) {
			return answer.WrongAt(l.g, l.v, "pair %d, of similarity %v, stands behind one of %v", i, x, l.scores[before])
		}
	}
	return nil
}
