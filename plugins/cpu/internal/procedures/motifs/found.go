package motifs

import (
	"context"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// found is what a worker has found at each vertex, and its marks, all 0 between vertices.
type found struct {
	cycles, cliques []int64
	marks           []uint32
	touched         []uint32
}

// foundBytes is what a worker takes of a vertex.
const foundBytes = 8 + 8 + 4 + 4

// ranked are, of each vertex, its neighbors of higher rank: those of more neighbors, or as many and a larger number.
// Lists of them are about as short as the square root of twice the edges.
type ranked struct {
	starts []uint64
	lists  []uint32
}

func (r *ranked) of(v uint32) []uint32 { return r.lists[r.starts[v]:r.starts[v+1]] }

func (m *motifs) rank() *ranked {
	r := &ranked{starts: make([]uint64, m.N+1), lists: make([]uint32, 0, len(m.net.Ends))}
	for v := range uint32(m.N) {
		near, _ := m.net.Of(v)
		for _, u := range near {
			if m.below(v, u) {
				r.lists = append(r.lists, u)
			}
		}
		r.starts[v+1] = uint64(len(r.lists))
	}
	return r
}

func (m *motifs) below(v, u uint32) bool {
	d, e := m.net.Degree(v), m.net.Degree(u)
	return d < e || d == e && v < u
}

// find counts cycles and cliques: each once, and at all its vertices.
func (m *motifs) find(ctx context.Context, p procedures.Progress) error {
	r, workers := m.rank(), make([]found, m.Pool.Threads)
	for i := range workers {
		workers[i] = found{make([]int64, m.N), make([]int64, m.N), make([]uint32, m.N), make([]uint32, 0, m.N)}
	}
	err := m.Groups(ctx, nil, p, func(worker, from, to int, _ []*csr.Chunk) {
		for v := uint32(from); v < uint32(to) && ctx.Err() == nil; v++ {
			m.cyclesBelow(v, &workers[worker])
			workers[worker].cliquesAbove(r, v)
		}
	})
	if err != nil {
		return err
	}
	return m.Pool.Blocks(ctx, m.N, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			for _, f := range workers {
				m.columns[cycle][v] += f.cycles[v]
				m.columns[clique][v] += f.cliques[v]
			}
		}
	})
}

// cyclesBelow finds the cycles of which v has the highest rank: two ways of two edges to the vertex opposite, all below
// v. (Chiba and Nishizeki 1985.)
func (m *motifs) cyclesBelow(v uint32, f *found) {
	m.waysBelow(v, func(_, w uint32) {
		if f.marks[w] == 0 {
			f.touched = append(f.touched, w)
		}
		f.marks[w]++
	})
	m.waysBelow(v, func(u, w uint32) { f.cycles[u] += int64(f.marks[w]) - 1 })
	for _, w := range f.touched {
		count := pairs(int64(f.marks[w]))
		f.cycles[v] += count
		f.cycles[w] += count
		f.marks[w] = 0
	}
	f.touched = f.touched[:0]
}

// waysBelow calls visit with both vertices of each way of two edges from v through vertices below it.
func (m *motifs) waysBelow(v uint32, visit func(u, w uint32)) {
	near, _ := m.net.Of(v)
	for _, u := range near {
		if !m.below(u, v) {
			continue
		}
		next, _ := m.net.Of(u)
		for _, w := range next {
			if m.below(w, v) {
				visit(u, w)
			}
		}
	}
}

// cliquesAbove finds the cliques of which v has the lowest rank. The marks of a vertex are how many of v and u have it
// above them.
func (f *found) cliquesAbove(r *ranked, v uint32) {
	own := r.of(v)
	for _, u := range own {
		f.marks[u] = 1
	}
	for _, u := range own {
		for _, w := range r.of(u) {
			if f.marks[w] == 1 {
				f.marks[w] = 2
				f.touched = append(f.touched, w)
			}
		}
		for _, w := range f.touched {
			f.fourth(r, v, u, w)
		}
		for _, w := range f.touched {
			f.marks[w] = 1
		}
		f.touched = f.touched[:0]
	}
	for _, u := range own {
		f.marks[u] = 0
	}
}

// fourth finds the cliques of v, u and w, in the order of rank.
func (f *found) fourth(r *ranked, v, u, w uint32) {
	count := int64(0)
	for _, x := range r.of(w) {
		if f.marks[x] == 2 {
			f.cliques[x]++
			count++
		}
	}
	f.cliques[v] += count
	f.cliques[u] += count
	f.cliques[w] += count
}
