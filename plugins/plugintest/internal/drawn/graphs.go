package drawn

import (
	"math/rand/v2"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/formats/chunk"
)

// Every edge here has these properties.
const (
	Weight = "weight" // multiples of 1/4 above 0 and up to 1: distances and probabilities whose sums are exact
	share  = "share"  // add up to at most 1 over the edges into a vertex
	spare  = "spare"  // whole numbers
)

// NewGraph is algorithms.NewGraph with shares and vertex properties.
func NewGraph(directed bool, ids []int64, edges []algorithms.Edge) *algorithms.Graph {
	degrees := make([]float64, len(ids))
	for _, e := range edges {
		degrees[e.Dst]++
		if !directed {
			degrees[e.Src]++
		}
	}
	for _, e := range edges {
		e.Weights[share] = e.Weights[Weight] / max(degrees[e.Src], degrees[e.Dst])
	}
	return oracletest.WithProperties(algorithms.NewGraph(directed, ids, edges))
}

// NewEdge has properties that are drawn.
func NewEdge(r *rand.Rand, src, dst int) algorithms.Edge {
	return algorithms.Edge{Src: uint32(src), Dst: uint32(dst), Weights: map[string]float64{
		Weight: float64(1+r.IntN(4)) / 4,
		spare:  float64(r.IntN(9) - 4),
	}}
}

// RandomGraph has up to 60 vertices. It may have loops and parallel edges, and is
// directed or not, acyclic or not, sparse or dense.
func RandomGraph(r *rand.Rand) *algorithms.Graph {
	n := 1 + r.IntN(60)
	acyclic := r.IntN(4) == 0
	var edges []algorithms.Edge
	for range r.IntN(1 + n*(1+r.IntN(6))) {
		src, dst := r.IntN(n), r.IntN(n)
		if acyclic {
			if src == dst {
				continue
			}
			src, dst = min(src, dst), max(src, dst)
		}
		edges = append(edges, NewEdge(r, src, dst))
	}
	return NewGraph(acyclic || r.IntN(2) == 0, RandomIDs(r, n), edges)
}

// RandomIDs are distinct, in no order, with gaps.
func RandomIDs(r *rand.Rand, n int) []int64 {
	ids := make([]int64, n)
	for i, k := range r.Perm(n) {
		ids[i] = int64(10*k + r.IntN(10))
	}
	return ids
}

// Shape is a graph that is awkward in one way.
type Shape struct {
	Name  string
	Graph func(directed bool) *algorithms.Graph
}

// Shapes are the graphs on which devices go wrong.
func Shapes(r *rand.Rand) []Shape {
	fixed := func(n int, pairs ...[2]int) func(bool) *algorithms.Graph {
		return func(directed bool) *algorithms.Graph {
			var edges []algorithms.Edge
			for _, p := range pairs {
				edges = append(edges, NewEdge(r, p[0], p[1]))
			}
			return NewGraph(directed, RandomIDs(r, n), edges)
		}
	}
	return []Shape{
		{"empty", fixed(0)},
		{"one vertex", fixed(1)},
		{"one loop", fixed(1, [2]int{0, 0})},
		{"no edges", fixed(130)},
		{"loops", fixed(5, [2]int{0, 0}, [2]int{0, 1}, [2]int{1, 1}, [2]int{3, 3})},
		{"parallel edges", fixed(4, [2]int{0, 1}, [2]int{0, 1}, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 1}, [2]int{3, 3},
			[2]int{3, 3})},
		{"path", fixed(40, path(40)...)},
	}
}

// HubGraph has a vertex with more neighbors than 16 bits can count.
func HubGraph(r *rand.Rand, directed bool) *algorithms.Graph {
	const n = 70_001
	var edges []algorithms.Edge
	for _, p := range star(n) {
		edges = append(edges, NewEdge(r, p[0], p[1]))
	}
	return NewGraph(directed, RandomIDs(r, n), edges)
}

// LongListsGraph has a vertex with hundreds of neighbors, where sums of a network may be parted, and is small enough
// for an oracle that stores every edge.
func LongListsGraph(r *rand.Rand) *algorithms.Graph {
	const n = 700
	var edges []algorithms.Edge
	for _, p := range star(n) {
		edges = append(edges, NewEdge(r, p[0], p[1]))
	}
	return NewGraph(r.IntN(2) == 0, RandomIDs(r, n), edges)
}

func path(n int) (pairs [][2]int) {
	for v := range n - 1 {
		pairs = append(pairs, [2]int{v, v + 1})
	}
	return pairs
}

// star has its hub amid the others: half of the edges lead to it, half away.
func star(n int) (pairs [][2]int) {
	hub := n / 2
	for v := range n {
		switch {
		case v < hub:
			pairs = append(pairs, [2]int{v, hub})
		case v > hub:
			pairs = append(pairs, [2]int{hub, v})
		}
	}
	return pairs
}

// DirectionsOf are the directions in which g has lists.
func DirectionsOf(g *algorithms.Graph) []chunk.Direction {
	if g.Directed {
		return []chunk.Direction{chunk.Out, chunk.In}
	}
	return []chunk.Direction{chunk.Both}
}

// EdgeCount counts as a user does: an undirected edge is one.
func EdgeCount(g *algorithms.Graph) uint64 { return uint64(g.M()) }

// Linked is how many vertices of g have an edge.
func Linked(g *algorithms.Graph) (count uint64) {
	for v := range g.N() {
		if g.Out.Degree(v)+g.In.Degree(v) > 0 {
			count++
		}
	}
	return count
}

// DenseGraph is directed, with skewed degrees.
func DenseGraph(r *rand.Rand, n, m int) *algorithms.Graph {
	edges := make([]algorithms.Edge, m)
	for i := range edges {
		edges[i] = NewEdge(r, r.IntN(1+r.IntN(n)), r.IntN(1+r.IntN(n)))
	}
	return NewGraph(true, RandomIDs(r, n), edges)
}

// EdgeColumns are those of g; a graph without edges is taken to have the usual ones.
func EdgeColumns(g *algorithms.Graph) []string {
	if names := g.EdgeColumns(); len(names) > 0 {
		return names
	}
	return []string{share, spare, Weight}
}
