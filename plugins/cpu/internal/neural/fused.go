package neural

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// What attention computes at edges is wide, and read once. It is not stored even for a tile:
//
//	Gather(s · x)        s has a number for each part of a row of x     weighted sums: wave.go
//	SumParts(x · y)      a number for each part                          products of parts

// fusedValues are the products at edges of a wave that only one of these reads.
func fusedValues(w *dataflow.Wave) map[*dataflow.Value]bool {
	readers, fused := map[*dataflow.Value]int{}, map[*dataflow.Value]bool{}
	for _, list := range [][]*dataflow.Value{w.Edges, w.Gathers} {
		for _, v := range list {
			for _, a := range v.Args {
				readers[a]++
			}
		}
	}
	for _, list := range [][]*dataflow.Value{w.Edges, w.Gathers} {
		for _, v := range list {
			if len(v.Args) == 1 && readers[v.Args[0]] == 1 && isFused(v) {
				fused[v.Args[0]] = true
			}
		}
	}
	return fused
}

func isFused(v *dataflow.Value) bool {
	m := v.Args[0]
	if m.Op != dataflow.Multiply || m.Place != dataflow.Edges {
		return false
	}
	x, y := m.Args[0], m.Args[1]
	if x.Op == dataflow.Mask || y.Op == dataflow.Mask || x.Place != dataflow.Edges || y.Place != dataflow.Edges {
		return false
	}
	switch v.Op {
	case dataflow.GatherSum:
		s, _ := narrower(m)
		return x.Width != y.Width && s.Op != dataflow.Source && s.Op != dataflow.Target
	case dataflow.SumParts:
		return x.Width == y.Width
	}
	return false
}

// narrower is the arguments of a product, the narrower first.
func narrower(m *dataflow.Value) (s, x *dataflow.Value) {
	if m.Args[0].Width > m.Args[1].Width {
		return m.Args[1], m.Args[0]
	}
	return m.Args[0], m.Args[1]
}

// sumProducts makes a tile of SumParts(x · y).
func (b *block[T]) sumProducts(v *dataflow.Value) {
	x, y := b.ofEdges(v.Args[0].Args[0]), b.ofEdges(v.Args[0].Args[1])
	n := b.tile.count
	vector.DotParts(b.tile.values[v], x.from(0, n), y.from(0, n), n, v.Width, x.width/v.Width)
}
