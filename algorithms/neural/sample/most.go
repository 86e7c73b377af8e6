package sample

import (
	"cmp"
	"slices"
	"sort"
)

// Most is how many vertices and edges the graph of some seeds has at most, of a large graph with such degrees.
type Most struct {
	sums  []int64 // of the k highest degrees, by k
	loops bool
}

// NewMost sorts degrees.
func NewMost(degrees []int64, loops bool) Most {
	sorted := slices.Clone(degrees)
	slices.SortFunc(sorted, func(a, b int64) int { return cmp.Compare(b, a) })
	sums := make([]int64, 1, len(degrees)+1)
	for k, d := range sorted {
		sums = append(sums, sums[k]+d)
	}
	return Most{sums, loops}
}

// Of is the most of a batch of at most so many seeds, as the last of an epoch may have fewer. A hop has as many edges
// as the vertices of the highest degrees keep, and no more new vertices than that, or than are no seeds: fewer seeds
// leave more of these, whose lists may be longer.
func (m Most) Of(batch int, fanouts []int) (vertices, edges uint64) {
	n := len(m.sums) - 1
	for seeds := range min(batch, n) + 1 {
		all, total, frontier := seeds, int64(0), seeds
		for _, fanout := range fanouts {
			hop := m.kept(frontier, fanout)
			total = min(total+hop, m.sums[n])
			frontier = int(min(hop, int64(n-seeds)))
			all = min(all+frontier, n)
		}
		vertices, edges = max(vertices, uint64(all)), max(edges, uint64(total))
	}
	return vertices, edges
}

// kept is how many edges the lists of the k vertices of the highest degrees keep: each at most the fanout, and its
// loop.
func (m Most) kept(k, fanout int) int64 {
	most := int64(fanout)
	if m.loops {
		most++
	}
	longer := sort.Search(k, func(i int) bool { return m.sums[i+1]-m.sums[i] < most })
	return int64(longer)*most + m.sums[k] - m.sums[longer]
}
