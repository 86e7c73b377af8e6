package load

import (
	"github.com/penstock-db/penstock/store/internal/ordering"
	"github.com/penstock-db/penstock/store/internal/sorting"
)

// degrees are the lengths of the vertices' lists, by number and later by dense id. A self-loop stands in an undirected
// list once.
type degrees struct {
	directed bool
	out, in  []uint32 // undirected: only out
}

// grow makes a degree for each of n vertices.
func (d *degrees) grow(n int) {
	if len(d.out) >= n {
		return
	}
	d.out = append(d.out, make([]uint32, n-len(d.out))...)
	if d.directed {
		d.in = append(d.in, make([]uint32, n-len(d.in))...)
	}
}

// count adds an edge.
func (d *degrees) count(source, target uint32) {
	d.out[source]++
	switch {
	case d.directed:
		d.in[target]++
	case source != target:
		d.out[target]++
	}
}

// of is the number of list entries of a vertex, of both directions.
func (d *degrees) of(v uint32) uint64 {
	degree := uint64(d.out[v])
	if d.directed {
		degree += uint64(d.in[v])
	}
	return degree
}

// permute puts the degrees of these vertices in the place of all.
func (d *degrees) permute(order []uint32) {
	d.out = ordering.Pick(d.out, order)
	if d.directed {
		d.in = ordering.Pick(d.in, order)
	}
}

// bytes is what degrees of n vertices take, and while they grow.
func (d *degrees) bytes(n int) int64 {
	const each = 6
	all := max(cap(d.out), n)
	if d.directed {
		all *= 2
	}
	return each * int64(all)
}

// entries is how many entries all lists have, and the most of one vertex.
func (d *degrees) entries() (all, longest uint64) {
	for v := range d.out {
		degree := d.of(uint32(v))
		all += degree
		longest = max(longest, degree)
	}
	return all, longest
}

// descending is the vertices by descending degree, ties by dense id.
func (d *degrees) descending() []uint32 {
	order := ordering.Identity(uint32(len(d.out)))
	keys := make([]uint64, len(order))
	for v := range keys {
		keys[v] = ^d.of(uint32(v))
	}
	_, order = new(sorting.Sorter).Sort(keys, order)
	return order
}

// topShare is Ordering.TopShare, given the vertices by descending degree.
func (d *degrees) topShare(descending []uint32) float64 {
	var top, all uint64
	for i, v := range descending {
		degree := d.of(v)
		all += degree
		if i < (len(descending)+99)/100 {
			top += degree
		}
	}
	return float64(top) / float64(max(all, 1))
}
