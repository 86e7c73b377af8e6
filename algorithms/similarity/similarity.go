package similarity

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// NodeSimilarity compares vertices by their neighbors, and gives each the vertices that are most similar to it: a list
// of pairs, highest first, of the same similarity by ids. Only vertices that have a neighbor in common are compared.
//
//	jaccard = |N(v) ∩ N(u)| / |N(v) ∪ N(u)|;   overlap = |N(v) ∩ N(u)| / min(|N(v)|, |N(u)|)
//	cosine  = |N(v) ∩ N(u)| / √(|N(v)|·|N(u)|)
//
// N(v) are the vertices that edges lead to from v, each once, without v. With weights, w(v, x) of the heaviest edge
// from v to x, 0 of none, numbers of neighbors are sums over x: jaccard = Σ min / Σ max, overlap = Σ min / the lesser
// sum of weights, cosine = Σ product / √(Σ w(v, x)² · Σ w(u, x)²). Terms are rounded as those of LinkPrediction. Exact:
// Σ over v of the edges that come to its neighbors, O(m · max degree) at most. Jaccard 1901; Salton and McGill,
// "Introduction to modern information retrieval", 1983; parameters as in Neo4j GDS.
var NodeSimilarity = &algorithms.Algorithm{
	Name:    "node-similarity",
	Summary: "for each vertex those with the most similar neighbors",
	Source:  "Jaccard 1901; Salton and McGill 1983",
	Params: []algorithms.Param{
		topKParam(),
		{Name: "similarityMetric", Type: algorithms.ParamChoice, Choices: []string{"jaccard", "overlap", "cosine"},
			Default: "jaccard",
			Doc:     "how similarity is measured: common neighbors by all, by those of the vertex with fewer, or by the geometric mean"},
		{Name: "similarityCutoff", Type: algorithms.ParamFloat, Default: "1e-42", Max: 1,
			Doc: "the least similarity that is told"},
		{Name: "degreeCutoff", Type: algorithms.ParamInt, Default: "1", Min: 1, Max: math.MaxInt32,
			Doc: "vertices with fewer neighbors are not compared"},
		{Name: "upperDegreeCutoff", Type: algorithms.ParamInt, Default: "2147483647", Min: 1, Max: math.MaxInt32,
			Doc: "vertices with more neighbors are not compared"},
		param.Orientation("which edges lead to neighbors: natural, those out of a vertex; reverse, those into it; undirected, both"),
		{Name: "weight", Type: algorithms.ParamProperty, Optional: true,
			Doc: "an edge property, how much a neighbor counts; without it, each counts 1"},
		{Name: "order", Type: algorithms.ParamChoice, Choices: []string{"highest", lowest}, Default: "highest",
			Doc: "which similarities of a vertex are told, and come first"},
		filterParam(sourceFilter, "only vertices where it is not 0 are given pairs"),
		filterParam(targetFilter, "pairs are only with vertices where it is not 0"),
	},
	Result:    pairColumns("similarity", algorithms.Args{}),
	Shape:     algorithms.OfPairs,
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:    nodeSimilarityOracle,
	Verify: func(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
		want, err := nodeSimilarityOracle(g, args)
		if err != nil {
			return err
		}
		return verifyPairs(g, result, want)
	},
	Figures: answer.Pairs,
}

// LinkPrediction scores edges that are not there, by the neighbors that their ends have in common, and gives each
// vertex those of the highest scores: a list of pairs, highest first, of the same score by ids.
//
//	adamic-adar = Σ { 1/ln d(w) : w ∈ N(v) ∩ N(u) };   resource-allocation = Σ { 1/d(w) : … }
//	common-neighbors = |N(v) ∩ N(u)|;   preferential-attachment = d(v)·d(u)
//
// N(v) are the d(v) neighbors of v, whatever the direction of edges, each once, without v; u is none of them, and has
// one in common with v. Terms are rounded to whole numbers of a power of two, about 2⁻⁶² of the largest sum that there
// can be, so that their order does not matter. Σ d(v)² steps. Liben-Nowell and Kleinberg, "The link-prediction problem
// for social networks", 2007; Adamic and Adar, "Friends and neighbors on the web", 2003; Zhou, Lü, Zhang, "Predicting
// missing links via local information", 2009.
var LinkPrediction = &algorithms.Algorithm{
	Name:    "link-prediction",
	Summary: "for each vertex those that it may come to be joined with, by common neighbors",
	Source:  "Liben-Nowell and Kleinberg 2007; Adamic and Adar 2003; Zhou, Lü, Zhang 2009",
	Params: []algorithms.Param{topKParam(), {Name: "metric", Type: algorithms.ParamChoice, Default: adamicAdar,
		Choices: []string{adamicAdar, "common-neighbors", "preferential-attachment", resourceAllocation},
		Doc:     "how a pair is scored"}},
	Result:    pairColumns("score", algorithms.Args{}),
	Shape:     algorithms.OfPairs,
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle: func(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
		return mostSimilar(g, args, "score", LinkRule(args), PairFilter{})
	},
	Verify: func(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
		want, err := mostSimilar(g, args, "score", LinkRule(args), PairFilter{})
		if err != nil {
			return err
		}
		return verifyPairs(g, result, want)
	},
	Figures: answer.Pairs,
}

const adamicAdar, resourceAllocation = "adamic-adar", "resource-allocation"

const lowest = "lowest"

func topKParam() algorithms.Param {
	return algorithms.Param{Name: "topK", Type: algorithms.ParamInt, Default: "10", Min: 1, Max: algorithms.MaxWidth,
		Doc: "pairs of a vertex, at most"}
}

// The parameters that say of which vertices, and with which, pairs are told.
const sourceFilter, targetFilter = "sourceFilter", "targetFilter"

func filterParam(name, doc string) algorithms.Param {
	return algorithms.Param{Name: name, Type: algorithms.ParamVertexProperty, Optional: true, Values: algorithms.Int,
		Missing: "0",
		Doc:     "a vertex property: " + doc}
}

// PairFilter tells which pairs are wanted: a vertex that has 0 in a column is left out. A column that is nil leaves out
// none.
type PairFilter struct{ sources, targets []int64 }

// FilterColumns are what the columns of a PairFilter are called, in the layout of a task whose arguments name them.
func FilterColumns(args algorithms.Args) (columns []algorithms.Column) {
	for _, param := range []string{sourceFilter, targetFilter} {
		if args.Strings[param] != "" {
			columns = append(columns, algorithms.Column{Name: algorithms.InputColumn(param), Type: algorithms.Int})
		}
	}
	return columns
}

// NewPairFilter takes its columns from those of a task, by their names.
func NewPairFilter(column func(name string) []int64) PairFilter {
	return PairFilter{column(algorithms.InputColumn(sourceFilter)), column(algorithms.InputColumn(targetFilter))}
}

// pairFilter is the one that arguments name, of a graph's properties.
func pairFilter(g *algorithms.Graph, args algorithms.Args) (f PairFilter, err error) {
	if args.Strings[sourceFilter] != "" {
		f.sources, err = argument.Wholes(g, args, sourceFilter)
	}
	if err == nil && args.Strings[targetFilter] != "" {
		f.targets, err = argument.Wholes(g, args, targetFilter)
	}
	return f, err
}

// From tells whether a vertex is given pairs.
func (f PairFilter) From(v int) bool { return f.sources == nil || f.sources[v] != 0 }

// To tells whether a vertex is in pairs that others are given.
func (f PairFilter) To(v int) bool { return f.targets == nil || f.targets[v] != 0 }

func pairColumns(score string, args algorithms.Args) []algorithms.Column {
	each := int(args.Ints["topK"])
	return []algorithms.Column{{Name: "neighbor", Type: algorithms.VertexID, Width: "topK", Each: each},
		{Name: score, Type: algorithms.Float, Width: "topK", Each: each}}
}

// Rule says which vertices are compared, and how.
type Rule struct {
	Orientation   string
	Cutoff        float64 // the least score
	least, most   int     // neighbors of vertices that are compared
	Apart         bool    // neighbors are not compared
	Lowest        bool    // of a vertex the lowest scores count
	Weighted      bool    // neighbors count by the weights of edges
	metric, terms string  // terms: what a common neighbor counts; empty: 1
}

// The terms of weights.
const lesserWeight, productOfWeights = "lesser weight", "product of weights"

// NodeRule is the rule of node-similarity.
func NodeRule(args algorithms.Args) Rule {
	r := Rule{Orientation: args.Strings["orientation"], Cutoff: args.Floats["similarityCutoff"],
		least: int(args.Ints["degreeCutoff"]), most: int(args.Ints["upperDegreeCutoff"]),
		metric: args.Strings["similarityMetric"], Lowest: args.Strings["order"] == lowest,
		Weighted: args.Strings["weight"] != ""}
	switch {
	case r.Weighted && r.metric == "cosine":
		r.terms = productOfWeights
	case r.Weighted:
		r.terms = lesserWeight
	}
	return r
}

// LinkRule is the rule of link-prediction.
func LinkRule(args algorithms.Args) Rule {
	r := Rule{Orientation: param.Undirected, Apart: true, most: math.MaxInt, metric: args.Strings["metric"]}
	if r.metric == adamicAdar || r.metric == resourceAllocation {
		r.terms = r.metric
	}
	return r
}

// Compares tells whether a vertex of so many neighbors is compared.
func (r Rule) Compares(degree int) bool { return r.least <= degree && degree <= r.most }

// Score is that of two vertices whose neighbors, and whose common neighbors, count so much together.
func (r Rule) Score(common, a, b float64) float64 {
	switch r.metric {
	case "jaccard":
		return common / (a + b - common)
	case "overlap":
		return common / min(a, b)
	case "cosine":
		if a == 0 || b == 0 {
			return 0 // all weights of one of them are rounded to none, beside the largest
		}
		return common / geometricMean(a, b)
	case "preferential-attachment":
		return a * b
	}
	return common
}

// geometricMean is that of numbers whose product may be no number.
func geometricMean(a, b float64) float64 {
	if product := a * b; product > 0x1p-900 && product < 0x1p900 {
		return math.Sqrt(product)
	}
	return math.Sqrt(a) * math.Sqrt(b)
}

// Weights are what common neighbors count, as whole numbers of a unit.
type Weights struct {
	terms string
	unit  float64
}

// Weights are those of a graph whose largest degree, so the most common neighbors that there can be, and whose largest
// weight are given. It fails where sums of terms may be more than a number can be.
func (r Rule) Weights(degree int, weight float64) (Weights, error) {
	largest := float64(degree)
	switch r.terms {
	case "":
		return Weights{unit: 1}, nil
	case lesserWeight:
		largest *= weight
	case productOfWeights:
		largest *= weight * weight
	}
	if math.IsInf(largest, 1) {
		return Weights{}, fmt.Errorf(
			"an edge weighs %v: similarities of %d such weights are more than a number can be: give smaller ones", weight, degree)
	}
	_, exponent := math.Frexp(largest)
	return Weights{r.terms, max(math.Ldexp(1, exponent-61), math.SmallestNonzeroFloat64)}, nil
}

// Of is what a common neighbor with so many neighbors, two or more, counts.
func (w Weights) Of(degree int) int64 {
	switch d := float64(max(degree, 2)); w.terms {
	case adamicAdar:
		return int64(math.Round(1 / math.Log(d) / w.unit))
	case resourceAllocation:
		return int64(math.Round(1 / d / w.unit))
	}
	return 1
}

// Between is what a common neighbor counts to which edges of these weights lead.
func (w Weights) Between(a, b float64) int64 {
	if w.terms == productOfWeights {
		return int64(math.Round(a * b / w.unit))
	}
	return int64(math.Round(min(a, b) / w.unit))
}

// Sum is what so many units come to.
func (w Weights) Sum(units int64) float64 { return float64(units) * w.unit }

func nodeSimilarityOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	filter, err := pairFilter(g, args)
	if err != nil {
		return nil, err
	}
	return mostSimilar(g, args, "similarity", NodeRule(args), filter)
}

// weighed are the neighbors of vertices, and how much the edges to these weigh.
type weighed struct {
	near    [][]uint32
	degree  []int // how many have a vertex as their neighbor
	largest int   // number of neighbors
	heavy   []map[uint32]float64
	most    float64 // weight
}

func newWeighed(g *algorithms.Graph, args algorithms.Args, rule Rule) (*weighed, error) {
	h := &weighed{near: make([][]uint32, g.N()), degree: make([]int, g.N()), heavy: make([]map[uint32]float64, g.N())}
	for v := range h.near {
		h.heavy[v] = map[uint32]float64{}
		var all [][]uint32
		for _, lists := range neighborhood.Sides(g, rule.Orientation) {
			all = append(all, lists.Of(v))
			if err := h.weigh(g, v, lists, args.Strings["weight"]); err != nil {
				return nil, err
			}
		}
		h.near[v] = neighborhood.Of(v, all...)
		h.largest = max(h.largest, len(h.near[v]))
		for _, w := range h.near[v] {
			h.degree[w]++
		}
	}
	return h, nil
}

// weigh reads the weights of edges of v.
func (h *weighed) weigh(g *algorithms.Graph, v int, lists algorithms.Lists, weight string) error {
	weights := lists.Weights(weight)
	for i, u := range lists.Of(v) {
		w := weights[lists.Offsets[v]+i]
		if w < 0 || w-w != 0 {
			return answer.WrongAt(g, v, "an edge of it weighs %v; node-similarity needs finite weights of 0 or more", w)
		}
		h.heavy[v][u], h.most = max(h.heavy[v][u], w), max(h.most, w)
	}
	return nil
}

// size is what the neighbors of v count together.
func (h *weighed) size(v int, rule Rule, weights Weights) float64 {
	if !rule.Weighted {
		return float64(len(h.near[v]))
	}
	units := int64(0)
	for _, u := range h.near[v] {
		units += weights.Between(h.heavy[v][u], h.heavy[v][u])
	}
	return weights.Sum(units)
}

// mostSimilar compares every vertex with every other.
func mostSimilar(g *algorithms.Graph, args algorithms.Args, score string, rule Rule,
	filter PairFilter) ([]algorithms.Values, error) {
	h, err := newWeighed(g, args, rule)
	if err != nil {
		return nil, err
	}
	weights, err := rule.Weights(h.largest, h.most)
	if err != nil {
		return nil, err
	}
	near, columns := h.near, pairColumns(score, args)
	sizes := make([]float64, len(near))
	for v := range sizes {
		sizes[v] = h.size(v, rule, weights)
	}
	result := []algorithms.Values{algorithms.NewValues(columns[0], g.N()), algorithms.NewValues(columns[1], g.N())}
	for v := range near {
		var pairs []scored
		for u := range near {
			if u == v || !filter.From(v) || !filter.To(u) || !rule.Compares(len(near[v])) || !rule.Compares(len(near[u])) ||
				rule.Apart && slices.Contains(near[v], uint32(u)) {
				continue
			}
			units := int64(0)
			neighborhood.Intersect(near[v], near[u], func(w uint32) {
				if rule.Weighted {
					units += weights.Between(h.heavy[v][w], h.heavy[u][w])
				} else {
					units += weights.Of(h.degree[w])
				}
			})
			s := rule.Score(weights.Sum(units), sizes[v], sizes[u])
			if units > 0 && s >= rule.Cutoff {
				pairs = append(pairs, scored{g.IDs[u], s})
			}
		}
		writePairs(result, v, pairs, rule)
	}
	return result, nil
}

// Before orders the pairs of a vertex, by their scores and ids.
func (r Rule) Before(score, than float64, id, other int64) int {
	if r.Lowest {
		score, than = than, score
	}
	if order := cmp.Compare(than, score); order != 0 {
		return order
	}
	return cmp.Compare(id, other)
}

// writePairs writes those that come first as the pairs of v.
func writePairs(result []algorithms.Values, v int, pairs []scored, rule Rule) {
	slices.SortFunc(pairs, func(a, b scored) int { return rule.Before(a.score, b.score, a.id, b.id) })
	for i := range result[0].Each {
		at := v*result[0].Each + i
		if result[0].Ints[at], result[1].Floats[at] = algorithms.Unreached, math.NaN(); i < len(pairs) {
			result[0].Ints[at], result[1].Floats[at] = pairs[i].id, pairs[i].score
		}
	}
}

type scored struct {
	id    int64
	score float64
}

// verifyPairs compares lists of pairs with what they should be.
func verifyPairs(g *algorithms.Graph, got, want []algorithms.Values) error {
	if err := answer.Shaped(g, got, want[0].Column, want[1].Column); err != nil {
		return err
	}
	for i, id := range want[0].Ints {
		v, x, y := i/want[0].Per(), got[1].Floats[i], want[1].Floats[i]
		if got[0].Ints[i] != id {
			return answer.WrongAt(g, v, "pair %d is with %d, not %d (%d: none)", i%want[0].Per(), got[0].Ints[i], id,
				algorithms.Unreached)
		}
		if !answer.Near(x, y) && (x == x || y == y) {
			return answer.WrongAt(g, v, "the score with %d is %v, not %v", id, x, y)
		}
	}
	return nil
}
