package paths

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
)

// way is a path: its vertices, and what it costs to each from the first.
type way struct {
	vertices []int
	costs    []float64
}

func (p way) end() int { return p.vertices[len(p.vertices)-1] }

func (p way) cost() float64 { return p.costs[len(p.costs)-1] }

// to is p and one edge more.
func (p way) to(v int, weight float64) way {
	return way{append(slices.Clip(p.vertices), v), append(slices.Clip(p.costs), p.cost()+weight)}
}

// ways are the paths of a graph in their order: by costs, then by how many edges they have, then by ids.
type ways struct {
	graph    *algorithms.Graph
	lightest []map[int]float64 // of each vertex, the edges from it
}

// newWays fails where an edge has a weight that no shortest path can go by.
func newWays(g *algorithms.Graph, args algorithms.Args) (*ways, error) {
	w := &ways{graph: g}
	weights := g.Out.Weights(args.Strings["weight"])
	for v := range g.N() {
		edges := map[int]float64{}
		for i := g.Out.Offsets[v]; i < g.Out.Offsets[v+1]; i++ {
			if weights[i] < 0 || math.IsInf(weights[i], 1) || math.IsNaN(weights[i]) {
				return nil, answer.WrongAt(g, v, "an edge of it weighs %v; a shortest path needs finite weights of 0 or more",
					weights[i])
			}
			u := int(g.Out.Neighbors[i])
			if before, known := edges[u]; !known || weights[i] < before {
				edges[u] = weights[i]
			}
		}
		w.lightest = append(w.lightest, edges)
	}
	return w, nil
}

// weight is that of the lightest edge from v to u; infinite where there is none.
func (w *ways) weight(v, u int) float64 {
	if weight, known := w.lightest[v][u]; known {
		return weight
	}
	return math.Inf(1)
}

func (w *ways) compare(a, b way) int {
	id := func(v, u int) int { return cmp.Compare(w.graph.IDs[v], w.graph.IDs[u]) }
	return cmp.Or(cmp.Compare(a.cost(), b.cost()),
		cmp.Compare(len(a.vertices), len(b.vertices)), slices.CompareFunc(a.vertices, b.vertices, id))
}

// least is the least way that goes on from root to the target, not to its vertices again, nor first to those that are
// closed. (Dijkstra 1959.)
func (w *ways) least(root way, target int, closed []int) (way, bool) {
	best, settled := map[int]way{root.end(): root}, map[int]bool{}
	for _, v := range root.vertices[:len(root.vertices)-1] {
		settled[v] = true
	}
	for {
		var next *way
		for v, p := range best {
			if !settled[v] && (next == nil || w.compare(p, *next) < 0) {
				next = &p
			}
		}
		if next == nil || next.end() == target {
			break
		}
		settled[next.end()] = true
		for u, weight := range w.lightest[next.end()] {
			if settled[u] || next.end() == root.end() && slices.Contains(closed, u) {
				continue
			}
			longer := next.to(u, weight)
			if before, known := best[u]; !known || w.compare(longer, before) < 0 {
				best[u] = longer
			}
		}
	}
	p, found := best[target]
	return p, found
}

// yen are the k least ways. (Yen 1971.) Each but the first leaves an earlier one somewhere, for the first time.
func (w *ways) yen(source, target, k int) (all []way) {
	first, found := w.least(way{[]int{source}, []float64{0}}, target, nil)
	if !found {
		return nil
	}
	var others []way
	for all = []way{first}; len(all) < k; {
		last := all[len(all)-1]
		for i := range len(last.vertices) - 1 {
			root, closed := way{last.vertices[:i+1], last.costs[:i+1]}, []int(nil)
			for _, p := range all {
				if len(p.vertices) > i+1 && slices.Equal(p.vertices[:i+1], root.vertices) {
					closed = append(closed, p.vertices[i+1])
				}
			}
			p, found := w.least(root, target, closed)
			same := func(q way) bool { return slices.Equal(p.vertices, q.vertices) }
			if found && !slices.ContainsFunc(others, same) {
				others = append(others, p)
			}
		}
		if len(others) == 0 {
			break
		}
		slices.SortFunc(others, w.compare)
		all, others = append(all, others[0]), others[1:]
	}
	return all
}

// read is the paths of a result, each with the row behind it. It fails where one is no path of the graph, or does not
// cost what its edges weigh.
func (w *ways) read(result []algorithms.Values) (all []way, err error) {
	ids, costs := result[0].Ints, result[1].Floats
	for i, p := 0, (way{}); i < len(ids); i++ {
		if ids[i] == algorithms.Unreached {
			if len(p.vertices) > 0 {
				all = append(all, p)
			}
			p = way{}
			continue
		}
		v := w.graph.Vertex(ids[i])
		switch first := len(p.vertices) == 0; {
		case v < 0 || slices.Contains(p.vertices, v):
			return nil, answer.Wrong("a path has vertex %d, which the graph does not have, or twice", ids[i])
		case first && costs[i] != 0:
			return nil, answer.WrongAt(w.graph, v, "a path that begins there costs %v", costs[i])
		case !first && !answer.Near(costs[i], p.cost()+w.weight(p.end(), v)):
			return nil, answer.WrongAt(w.graph, v, "the way there costs %v, and %v to the vertex before it", costs[i], p.cost())
		}
		p.vertices, p.costs = append(p.vertices, v), append(p.costs, costs[i])
	}
	return all, nil
}

// differentWays is how many different ones there are.
func differentWays(all []way) int {
	names := map[string]bool{}
	for _, p := range all {
		names[fmt.Sprint(p.vertices)] = true
	}
	return len(names)
}

// exact tells whether no sum of weights along a path can be rounded, in whatever order it is taken: all are multiples
// of one power of two, and a path of the heaviest fits the 53 bits of a float in these. Where sums are rounded, the
// least path depends on the order, for what differs early may be lost in a large sum later.
func (w *ways) exact() bool {
	unit, heaviest := math.MaxInt, 0.0
	for _, edges := range w.lightest {
		for _, weight := range edges {
			if weight == 0 {
				continue
			}
			mantissa, exponent := math.Frexp(weight)
			unit = min(unit, exponent-53+bits.TrailingZeros64(uint64(math.Ldexp(mantissa, 53))))
			heaviest = max(heaviest, weight)
		}
	}
	return heaviest == 0 || heaviest*float64(w.graph.N()) <= math.Ldexp(1, unit+53)
}
