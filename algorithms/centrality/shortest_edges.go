package centrality

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
)

// shortestEdges are the edges that lie on shortest paths from one vertex: u→v of weight w where d(u) + w = d(v), with
// d(v) the least sum of weights along a path to v, each sum rounded as it is taken. They make no circle, for weights
// are above 0, and a sum that is not larger than what it adds to is an error.
type shortestEdges struct {
	order  []int   // of the vertices reached, by distance: an edge leads to a later one
	onward [][]int // of each vertex, where its edges lead; of parallel ones each
}

// shortestEdgesFrom looks for the nearest vertex that is not settled among all. (Dijkstra 1959.)
func shortestEdgesFrom(g *algorithms.Graph, weights []float64, source int) (shortestEdges, error) {
	distance := slices.Repeat([]float64{math.Inf(1)}, g.N())
	e := shortestEdges{onward: make([][]int, g.N())}
	for v := range g.N() {
		for _, w := range weights[g.Out.Offsets[v]:g.Out.Offsets[v+1]] {
			if !(w > 0) || math.IsInf(w, 1) {
				return e, answer.WrongAt(g, v, "an edge of it weighs %v; betweenness needs finite weights above 0", w)
			}
		}
	}
	settled := make([]bool, g.N())
	distance[source] = 0
	for u := source; u >= 0; u = nextSettled(distance, settled) {
		settled[u] = true
		e.order = append(e.order, u)
		for k := g.Out.Offsets[u]; k < g.Out.Offsets[u+1]; k++ {
			v := g.Out.Neighbors[k]
			distance[v] = min(distance[v], distance[u]+weights[k])
		}
	}
	for _, u := range e.order {
		for k := g.Out.Offsets[u]; k < g.Out.Offsets[u+1]; k++ {
			v := int(g.Out.Neighbors[k])
			if v == u || distance[u]+weights[k] > distance[v] {
				continue
			}
			if distance[u] == distance[v] {
				return e, answer.WrongAt(g, u, "an edge of it weighs %v, which is lost in a sum of %v", weights[k], distance[u])
			}
			e.onward[u] = append(e.onward[u], v)
		}
	}
	return e, nil
}

// nextSettled is the vertex of least distance that is not settled, of those that are reached; -1: there is none.
func nextSettled(distance []float64, settled []bool) int {
	best := -1
	for v, d := range distance {
		if !settled[v] && !math.IsInf(d, 1) && (best < 0 || d < distance[best]) {
			best = v
		}
	}
	return best
}

// paths counts those from the i-th vertex of the order to each.
func (e shortestEdges) paths(i int) []float64 {
	count := make([]float64, len(e.onward))
	count[e.order[i]] = 1
	for _, u := range e.order[i:] {
		if count[u] == 0 {
			continue
		}
		for _, v := range e.onward[u] {
			count[v] += count[u]
		}
	}
	return count
}
