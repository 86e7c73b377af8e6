package paths

import (
	"container/heap"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
)

// pathRule is a path algebra: how the value of a path grows by an edge, and which of two
// values is better. SSSP is (+, <), the widest path (min, >), and so on.
type pathRule struct {
	name      string  // of the result column
	start     float64 // the value of the empty path
	unreached float64 // worse than every path
	extend    func(value, weight float64) float64
	better    func(a, b float64) bool
	vanishes  bool // a value gets better until it is 0 by rounding, as products of weights below 1 do
}

// initial gives the source the empty path and every other vertex none.
func (r pathRule) initial(g *algorithms.Graph, args algorithms.Args) ([]float64, int, error) {
	source, err := argument.Start(g, args)
	if err != nil {
		return nil, 0, err
	}
	best := slices.Repeat([]float64{r.unreached}, g.N())
	best[source] = r.start
	return best, source, nil
}

// dijkstra finds the best path to every vertex where an edge never makes a path better.
// Dijkstra, "A note on two problems in connexion with graphs", 1959.
func (r pathRule) dijkstra(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	best, source, err := r.initial(g, args)
	if err != nil {
		return nil, err
	}
	weights := g.Out.Weights(args.Strings["weight"])
	settled := make([]bool, g.N())
	queue := &pathQueue{better: r.better}
	heap.Push(queue, reached{source, r.start})
	for queue.Len() > 0 {
		u := heap.Pop(queue).(reached).vertex
		if settled[u] {
			continue
		}
		settled[u] = true
		for k := g.Out.Offsets[u]; k < g.Out.Offsets[u+1]; k++ {
			v := g.Out.Neighbors[k]
			if value := r.extend(best[u], weights[k]); r.better(value, best[v]) {
				best[v] = value
				heap.Push(queue, reached{int(v), value})
			}
		}
	}
	return answer.Floats(r.name, best), nil
}

// walks finds the best walk of at most k edges to every vertex, by dynamic programming
// over k (Bellman 1958). k = 0 means of any length: the walks of n edges must then be no
// better than those of n-1, or the best has no bound, which is a *DivergedError.
func (r pathRule) walks(g *algorithms.Graph, args algorithms.Args, k int, diverged error) ([]algorithms.Values, error) {
	best, _, err := r.initial(g, args)
	if err != nil {
		return nil, err
	}
	weights := g.In.Weights(args.Strings["weight"])
	rounds := k
	if k == 0 {
		rounds = g.N()
	}
	for round := range rounds {
		longer := r.longer(g, weights, best)
		if k == 0 && round == rounds-1 && !slices.Equal(best, longer) {
			return nil, diverged
		}
		best = longer
	}
	if k == 0 && (slices.ContainsFunc(best, r.overflowed) || r.vanished(g, args, best)) {
		return nil, diverged
	}
	return answer.Floats(r.name, best), nil
}

// vanished says whether a product has become 0 only by rounding, where it would get better without end: its logarithm
// does.
func (r pathRule) vanished(g *algorithms.Graph, args algorithms.Args, best []float64) bool {
	if !r.vanishes || !slices.Contains(best, 0) {
		return false
	}
	logarithms := pathRule{start: math.Log(r.start), unreached: r.unreached, better: r.better,
		extend: func(sum, weight float64) float64 { return sum + math.Log(weight) }}
	sums, _, err := logarithms.initial(g, args)
	if err != nil {
		return false // best would have failed
	}
	weights := g.In.Weights(args.Strings["weight"])
	for range g.N() - 1 {
		sums = logarithms.longer(g, weights, sums)
	}
	return !slices.Equal(sums, logarithms.longer(g, weights, sums))
}

// overflowed says whether a value has grown beyond every number: then walks of n edges
// are no better than those of n-1 only because nothing is.
func (r pathRule) overflowed(value float64) bool {
	return math.IsInf(value, 0) && value != r.unreached
}

// longer allows walks one more edge.
func (r pathRule) longer(g *algorithms.Graph, weights, best []float64) []float64 {
	longer := slices.Clone(best)
	for v := range longer {
		for k := g.In.Offsets[v]; k < g.In.Offsets[v+1]; k++ {
			u := g.In.Neighbors[k]
			if best[u] == r.unreached {
				continue
			}
			if value := r.extend(best[u], weights[k]); r.better(value, longer[v]) {
				longer[v] = value
			}
		}
	}
	return longer
}

// figures counts the vertices that a path reaches.
func (r pathRule) figures(result []algorithms.Values) []algorithms.Figure {
	count := int64(0)
	for _, value := range result[0].Floats {
		if value != r.unreached {
			count++
		}
	}
	return []algorithms.Figure{{Name: "reached", Value: count}}
}

// reached is a vertex to visit, by a path of this value.
type reached struct {
	vertex int
	value  float64
}

// pathQueue is a heap, the best path first.
type pathQueue struct {
	items  []reached
	better func(a, b float64) bool
}

func (q *pathQueue) Len() int           { return len(q.items) }
func (q *pathQueue) Less(i, j int) bool { return q.better(q.items[i].value, q.items[j].value) }
func (q *pathQueue) Swap(i, j int)      { q.items[i], q.items[j] = q.items[j], q.items[i] }
func (q *pathQueue) Push(x any)         { q.items = append(q.items, x.(reached)) }
func (q *pathQueue) Pop() any {
	last := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	return last
}
