package network

import (
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
)

// pairs are edges as matrices: a row for each vertex at one end, a column for each at the other. Where edges have
// properties, parallel ones have columns of their own.
type pairs struct {
	lists      *adjacency.Lists
	width      int     // columns
	vertices   []int64 // of columns; nil: they are the vertices
	first      []int   // of each vertex, its first column; nil: itself
	counts     []float32
	properties map[string][]float32
}

// newPairs finds the columns that lists need.
func newPairs(lists *adjacency.Lists, n int) *pairs {
	p := &pairs{lists: lists, width: n}
	if len(lists.Properties) == 0 {
		return p
	}
	most := make([]int, n)
	p.each(func(_ int, other uint32, again int, _ int64) { most[other] = max(most[other], again+1) })
	first, repeated := make([]int, n), false
	var vertices []int64
	for u, columns := range most {
		first[u] = len(vertices)
		repeated = repeated || columns > 1
		for range max(columns, 1) {
			vertices = append(vertices, int64(u))
		}
	}
	if repeated {
		p.first, p.vertices, p.width = first, vertices, len(vertices)
	}
	return p
}

// each goes through the edges: how often the same other vertex has come before in the list, and its place in the lists.
func (p *pairs) each(do func(row int, other uint32, again int, edge int64)) {
	for v := range len(p.lists.Offsets) - 1 {
		again := 0
		for e := p.lists.Offsets[v]; e < p.lists.Offsets[v+1]; e++ {
			if e > p.lists.Offsets[v] && p.lists.Others[e] == p.lists.Others[e-1] {
				again++
			} else {
				again = 0
			}
			do(v, p.lists.Others[e], again, e)
		}
	}
}

// column is where an edge stands in its row.
func (p *pairs) column(other uint32, again int) int {
	if p.first == nil {
		return int(other)
	}
	return p.first[other] + again
}

// fill makes the matrices.
func (p *pairs) fill() {
	n := len(p.lists.Offsets) - 1
	p.counts, p.properties = make([]float32, n*p.width), map[string][]float32{}
	for name := range p.lists.Properties {
		p.properties[name] = make([]float32, n*p.width)
	}
	p.each(func(v int, other uint32, again int, e int64) {
		at := v*p.width + p.column(other, again)
		p.counts[at]++
		for name, to := range p.properties {
			to[at] = float32(p.lists.Properties[name][e])
		}
	})
}

// pairBytes is what matrices of so many columns take, with those of properties.
func pairBytes(n, columns uint64, properties int) uint64 {
	return 4 * n * columns * uint64(1+properties)
}
