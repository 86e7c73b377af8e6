package sample

import (
	"cmp"
	"slices"
)

// Most is how many vertices and edges the graph of so many seeds has at most, of a large graph with such degrees.
type Most struct {
	degrees []int64 // falling
	loops   bool
	edges   int64
}

// NewMost sorts degrees.
func NewMost(degrees []int64, loops bool) Most {
	m := Most{degrees: slices.Clone(degrees), loops: loops}
	slices.SortFunc(m.degrees, func(a, b int64) int { return cmp.Compare(b, a) })
	for _, d := range degrees {
		m.edges += d
	}
	return m
}

// Of is the most of a batch. A hop has as many edges as the vertices of the highest degrees keep, and no more new
// vertices than that, or than are no seeds.
func (m Most) Of(batch int, fanouts []int) (vertices, edges uint64) {
	n := len(m.degrees)
	frontier := min(batch, n)
	all, total := frontier, int64(0)
	for _, fanout := range fanouts {
		hop := int64(0)
		for _, d := range m.degrees[:frontier] {
			hop += int64(kept(int(d), fanout, m.loops))
		}
		total = min(total+hop, m.edges)
		frontier = int(min(hop, int64(n-min(batch, n))))
		all = min(all+frontier, n)
	}
	return uint64(all), uint64(total)
}
