package learners

import (
	"github.com/penstock-db/penstock/algorithms/mega/heldout"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/hugepages"
	"github.com/penstock-db/penstock/plugins/mega"
)

// Bipartite is a graph as programs have it: vertices numbered by side, edges by their left vertex.
type Bipartite[E any] struct {
	mega.Graph[E]
	Left, Right Side
}

// Side is one type of vertices: those that have edges, whether learned from or not.
type Side struct {
	Place    []uint32 // by vertex, 1 more than its number; 0: it is not of this side
	Vertices []uint32
	Degree   []uint32 // edges that are learned from
}

// graphBytes is what a graph takes with so many bytes of each edge beside its target.
func (in Input) graphBytes(edge uint64) uint64 {
	return (4+edge)*in.Graph.Edges + hugepages.Slack(4*in.Graph.Edges) + hugepages.Slack(edge*in.Graph.Edges) +
		48*uint64(in.N)
}

// Read copies edges out of the chunks: those that keep keeps, nil: all, with what value makes of the first edge column,
// or of 1 without. Left vertices are those that edges lead from; reversed: to.
//
// Errors: *plugins.Error where a vertex is of both sides, and where there is nothing to learn from.
func Read[E any](in Input, chunks []*csr.Chunk, reversed bool, keep func(u, v int) bool,
	value func(u, v int, x float64) E) (*Bipartite[E], error) {
	sources, targets, err := in.sides(chunks, keep)
	if err != nil {
		return nil, err
	}
	g := &Bipartite[E]{Left: sources, Right: targets}
	if reversed {
		g.Left, g.Right = targets, sources
	}
	next := g.room()
	if len(g.Targets) == 0 {
		return nil, plugins.Errorf(plugins.KindInvalid, "there is no edge to learn from")
	}
	eachList(chunks, func(u, base int, neighbors []uint32, values []float64) {
		for i, v := range neighbors {
			v := base + int(v)
			if keep != nil && !keep(u, v) {
				continue
			}
			left, right := sources.Place[u]-1, targets.Place[v]-1
			if reversed {
				left, right = right, left
			}
			at := next[left]
			g.Targets[at], g.Edges[at] = right, value(u, v, values[i])
			next[left]++
		}
	})
	return g, nil
}

// sides are those that edges lead from, and to.
func (in Input) sides(chunks []*csr.Chunk, keep func(u, v int) bool) (from, to Side, err error) {
	out, into := make([]uint32, in.N), make([]uint32, in.N) // how many edges each vertex has
	keptOut, keptInto := out, into
	if keep != nil {
		keptOut, keptInto = make([]uint32, in.N), make([]uint32, in.N)
	}
	eachList(chunks, func(u, base int, neighbors []uint32, _ []float64) {
		out[u] += uint32(len(neighbors))
		for _, v := range neighbors {
			v := base + int(v)
			if into[v]++; keep != nil && keep(u, v) {
				keptOut[u]++
				keptInto[v]++
			}
		}
	})
	for v := range out {
		if out[v] > 0 && into[v] > 0 {
			return from, to, plugins.Errorf(plugins.KindInvalid, "it needs edges that lead from one type of vertices to another, "+
				"but vertex %d has edges both from it and to it; load the graph with --left and --right", v)
		}
	}
	return newSide(out, keptOut), newSide(into, keptInto), nil
}

// room makes room for the edges that the sides have, and says where those of each left vertex begin.
func (g *Bipartite[E]) room() (begin []int64) {
	g.Rights = len(g.Right.Vertices)
	g.Offsets = make([]int64, len(g.Left.Vertices)+1)
	for i, degree := range g.Left.Degree {
		g.Offsets[i+1] = g.Offsets[i] + int64(degree)
	}
	n := int(g.Offsets[len(g.Left.Vertices)])
	g.Targets, g.Edges = hugepages.Make[uint32](n), hugepages.Make[E](n)
	return append([]int64{}, g.Offsets...)
}

// newSide numbers the vertices that have edges, of which so many are learned from.
func newSide(edges, learned []uint32) Side {
	s := Side{Place: make([]uint32, len(edges))}
	for v, n := range edges {
		if n != 0 {
			s.Vertices, s.Degree = append(s.Vertices, uint32(v)), append(s.Degree, learned[v])
			s.Place[v] = uint32(len(s.Vertices))
		}
	}
	return s
}

// learned is how many vertices have an edge that is learned from.
func (s Side) learned() (n int) {
	for _, degree := range s.Degree {
		if degree > 0 {
			n++
		}
	}
	return n
}

// upTo keeps the edges that stand in the first share of all; nil: that is all.
func (in Input) upTo(share float64) func(u, v int) bool {
	if share >= 1 {
		return nil
	}
	return func(u, v int) bool { return in.place(u, v, share) < share }
}

// place is where an edge stands among all, if it matters where the first share ends.
func (in Input) place(u, v int, share float64) float64 {
	if share >= 1 {
		return 0
	}
	return heldout.Place(uint64(in.Args.Ints["seed"]), uint64(u), uint64(v))
}

// eachList goes along the lists of chunks: the neighbors of u are base and so much; without values, each is 1.
func eachList(chunks []*csr.Chunk, do func(u, base int, neighbors []uint32, values []float64)) {
	var ones []float64
	for _, ch := range chunks {
		for row := range len(ch.Offsets) - 1 {
			from, to := int(ch.Offsets[row]), int(ch.Offsets[row+1])
			if len(ch.Weights) > 0 {
				do(int(ch.Rows.Base)+ch.Local(row), int(ch.Cols.Base), ch.Neighbors[from:to], ch.WeightsOf(0)[from:to])
				continue
			}
			for len(ones) < to-from {
				ones = append(ones, 1)
			}
			do(int(ch.Rows.Base)+ch.Local(row), int(ch.Cols.Base), ch.Neighbors[from:to], ones[:to-from])
		}
	}
}
