package learners

import (
	"github.com/penstock-db/penstock/algorithms/mega/heldout"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
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
func (in Input) graphBytes(edge uint64) uint64 { return (4+edge)*in.Graph.Edges + 32*uint64(in.N) }

// Read copies edges out of the chunks. Left vertices are those that edges lead from; reversed: to. of says what a
// program has of an edge from u to v, whose value is that of the first edge column, or 1 without; false: nothing is
// learned from it.
//
// Errors: *plugins.Error where a vertex is of both sides, and where there is nothing to learn from.
func Read[E any](in Input, chunks []*csr.Chunk, reversed bool, of func(u, v int, value float64) (E, bool)) (
	*Bipartite[E], error) {
	from, to := make([]uint32, in.N), make([]uint32, in.N)
	each(chunks, func(u, v int, _ float64) { from[u], to[v] = 1, 1 })
	if reversed {
		from, to = to, from
	}
	g := &Bipartite[E]{Left: newSide(from), Right: newSide(to)}
	for _, v := range g.Right.Vertices {
		if g.Left.Place[v] != 0 {
			return nil, plugins.Errorf(plugins.KindInvalid, "it needs edges that lead from one type of vertices to another, but "+
				"vertex %d has edges both from it and to it; load the graph with --left and --right", v)
		}
	}
	learned := func(do func(left, right uint32, e E)) {
		each(chunks, func(u, v int, value float64) {
			if e, is := of(u, v, value); is {
				if reversed {
					u, v = v, u
				}
				do(g.Left.Place[u]-1, g.Right.Place[v]-1, e)
			}
		})
	}
	g.Rights = len(g.Right.Vertices)
	g.Offsets = make([]int64, len(g.Left.Vertices)+1)
	learned(func(i, j uint32, _ E) {
		g.Left.Degree[i]++
		g.Right.Degree[j]++
		g.Offsets[i+1]++
	})
	for i := range g.Left.Vertices {
		g.Offsets[i+1] += g.Offsets[i]
	}
	n := g.Offsets[len(g.Left.Vertices)]
	if n == 0 {
		return nil, plugins.Errorf(plugins.KindInvalid, "there is no edge to learn from")
	}
	g.Targets, g.Edges = make([]uint32, n), make([]E, n)
	next := append([]int64{}, g.Offsets...)
	learned(func(i, j uint32, e E) {
		g.Targets[next[i]], g.Edges[next[i]] = j, e
		next[i]++
	})
	return g, nil
}

// newSide numbers the vertices that are marked by a place of 1.
func newSide(place []uint32) Side {
	s := Side{Place: place}
	for v, is := range place {
		if is != 0 {
			s.Vertices = append(s.Vertices, uint32(v))
			place[v] = uint32(len(s.Vertices))
		}
	}
	s.Degree = make([]uint32, len(s.Vertices))
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

// held says whether an edge is held out.
func (in Input) held(u, v int) bool {
	share := in.Args.Floats["learned"]
	return share < 1 && heldout.Place(uint64(in.Args.Ints["seed"]), uint64(u), uint64(v)) >= share
}

func each(chunks []*csr.Chunk, do func(u, v int, value float64)) {
	eachList(chunks, func(u, base int, neighbors []uint32, values []float64) {
		value := 1.0
		for i, v := range neighbors {
			if values != nil {
				value = values[i]
			}
			do(u, base+int(v), value)
		}
	})
}

// eachList goes along the lists of chunks: the neighbors of u are base and so much; without values, each is 1.
func eachList(chunks []*csr.Chunk, do func(u, base int, neighbors []uint32, values []float64)) {
	for _, ch := range chunks {
		var all []float64
		if len(ch.Weights) > 0 {
			all = ch.WeightsOf(0)
		}
		for row := range len(ch.Offsets) - 1 {
			from, to := ch.Offsets[row], ch.Offsets[row+1]
			values := all
			if all != nil {
				values = all[from:to]
			}
			do(int(ch.Rows.Base)+ch.Local(row), int(ch.Cols.Base), ch.Neighbors[from:to], values)
		}
	}
}
