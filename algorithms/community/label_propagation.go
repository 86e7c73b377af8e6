package community

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// LabelPropagation finds communities by label propagation with weights and seeds: each vertex takes the label that
// weighs most among its neighbors, and keeps its own where none weighs more; of several the smallest.
//
//	label(v) = seed(v) first, or a label of its own
//	for each color, smallest first, every v of that color at once:
//	    weight(l) = Σ { w(v,u) : label(u) = l };   label(v) = argmax weight(l), unless weight(label(v)) is as large
//	until no label changes, or so many times
//
// Colors are those of k1-coloring. Vertices of one color have no edge between them, so that what they take does not
// depend on their order, and labels do not swing to and fro: the weight of edges within communities grows with every
// change. Edges count either way, parallel ones each, loops not at all. Without seeds a vertex begins with its id;
// where others have seeds, with a number above all of them, in the order of ids. Weights are rounded to whole numbers
// of a unit (CapacityShift), so that sums are exact. O(m·iterations). Raghavan, Albert, Kumara 2007; one color after
// the other: Cordasco and Gargano, "Community detection via semi-synchronous label propagation algorithms", 2010. Seeds as
// in Neo4j GDS, which takes vertices in any order. The name cdlp is that of LDBC Graphalytics: all vertices at once.
var LabelPropagation = &algorithms.Algorithm{
	Name:    "label-propagation",
	Summary: "communities by label propagation, with weights and seeds",
	Source:  "Raghavan et al. 2007; Cordasco and Gargano 2010",
	Params: []algorithms.Param{
		{Name: "iterations", Type: algorithms.ParamInt, Default: "10", Min: 1, Max: math.MaxInt32,
			Doc: "at most this many; fewer where nothing changes any more"},
		param.Weight("how much the label at its other end counts"),
		{Name: "seedProperty", Type: algorithms.ParamVertexProperty, Optional: true, Values: algorithms.Int,
			Missing: strconv.FormatInt(NoSeed, 10), Doc: "the vertex property with the label that a vertex begins with"},
	},
	Result:    []algorithms.Column{{Name: "community", Type: algorithms.Int}},
	Yield:     "communityId",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:    labelPropagationOracle,
	// Labels that have not settled have no property of their own.
	Verify: answer.AsOracle(labelPropagationOracle, algorithms.Column{Name: "community", Type: algorithms.Int}),
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		return []algorithms.Figure{{Name: "communities", Value: answer.Distinct(result[0].Ints)}}
	},
}

// NoSeed is the seed of a vertex that has none.
const NoSeed = int64(math.MinInt64)

// FirstLabels are the labels that vertices begin with: their seeds, of which seeds is a column or nil, or their own.
// It fails where there is no number above all seeds for each vertex.
func FirstLabels(ids, seeds []int64) ([]int64, error) {
	if seeds == nil {
		return slices.Clone(ids), nil
	}
	labels, free := slices.Clone(seeds), int64(0)
	for v, seed := range seeds {
		if seed > math.MaxInt64-1-int64(len(seeds)) {
			return nil, fmt.Errorf("vertex %d has the seed %d; a seed may be %d at most", ids[v], seed,
				math.MaxInt64-1-int64(len(seeds)))
		}
		free = max(free, seed+1)
	}
	var own []int
	for v, seed := range seeds {
		if seed == NoSeed {
			own = append(own, v)
		}
	}
	slices.SortFunc(own, func(v, u int) int { return cmp.Compare(ids[v], ids[u]) })
	for i, v := range own {
		labels[v] = free + int64(i)
	}
	return labels, nil
}

// labelPropagationOracle takes the vertices of each color one after the other.
func labelPropagationOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	var seeds []int64
	if args.Strings["seedProperty"] != "" {
		var err error
		if seeds, err = argument.Wholes(g, args, "seedProperty"); err != nil {
			return nil, err
		}
	}
	label, err := FirstLabels(g.IDs, seeds)
	if err != nil {
		return nil, err
	}
	near, err := wholeNeighbors(g, args.Strings["weight"])
	if err != nil {
		return nil, err
	}
	colors, err := coloringOracle(g, args)
	if err != nil {
		return nil, err
	}
	order := make([]int, g.N())
	for v := range order {
		order[v] = v
	}
	slices.SortFunc(order, func(v, u int) int { return cmp.Compare(colors[0].Ints[v], colors[0].Ints[u]) })
	for k, changed := int64(0), true; k < args.Ints["iterations"] && changed; k++ {
		changed = false
		for _, v := range order {
			if l := heaviestLabel(near[v], label, label[v]); l != label[v] {
				label[v], changed = l, true
			}
		}
	}
	return answer.Ints("community", algorithms.Int, label), nil
}

// heaviestLabel is the label that weighs most, own if none weighs more, and else of several the smallest.
func heaviestLabel(near []wholeNeighbor, label []int64, own int64) int64 {
	weights := map[int64]int64{}
	for _, n := range near {
		weights[label[n.vertex]] += n.weight
	}
	best := own
	for l, w := range weights {
		if most := weights[best]; w > most || w == most && best != own && l < best {
			best = l
		}
	}
	return best
}

// wholeNeighbor is the other end of an edge, and what it weighs in units.
type wholeNeighbor struct {
	vertex uint32
	weight int64
}

// wholeNeighbors are those of each vertex, either way and without loops. It fails where a weight is below 0 or none.
func wholeNeighbors(g *algorithms.Graph, weight string) ([][]wholeNeighbor, error) {
	out, largest := g.Out.Weights(weight), 0.0
	for v := range g.N() {
		for _, w := range out[g.Out.Offsets[v]:g.Out.Offsets[v+1]] {
			if w < 0 || w-w != 0 {
				return nil, answer.WrongAt(g, v, "an edge of it weighs %v; label-propagation needs finite weights of 0 or more", w)
			}
			largest = max(largest, w)
		}
	}
	entries, near := 0, make([][]wholeNeighbor, g.N())
	for _, lists := range neighborhood.BothSides(g) {
		entries += len(lists.Neighbors)
	}
	shift := algorithms.CapacityShift(largest, 2*entries)
	for _, lists := range neighborhood.BothSides(g) {
		weights := lists.Weights(weight)
		for v := range near {
			for k, u := range lists.Of(v) {
				if int(u) != v {
					near[v] = append(near[v], wholeNeighbor{u, algorithms.WholeCapacity(weights[lists.Offsets[v]+k], shift)})
				}
			}
		}
	}
	return near, nil
}
