package neural

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// What attention computes at edges is wide, and read once. It is not stored even for a tile:
//
//	Gather(s · x)        s has a number for each part of a row of x     weighted sums: wave.go
//	SumParts(x · y)      a number for each part                          products of parts
//
// What it computes of scores is narrow, and made in one pass over a tile: attention.go.

// fusion is what of a wave is not computed value by value.
type fusion struct {
	fused     map[*dataflow.Value]bool       // not made: another wave may have to make the same value
	attention map[*dataflow.Value]*attention // by what is made with each other
}

// fusionOf finds products at edges that only one gather or sum reads, and scores of attention.
func fusionOf(w *dataflow.Wave) fusion {
	read, f := readersIn(w), fusion{map[*dataflow.Value]bool{}, map[*dataflow.Value]*attention{}}
	for _, v := range slices.Concat(w.Edges, w.Gathers) {
		if len(v.Args) == 1 && len(read[v.Args[0]]) == 1 && isFused(v) {
			f.fused[v.Args[0]] = true
		}
	}
	for _, v := range w.Edges {
		a, is := attentionOf(v, read, f.fused)
		if !is {
			continue
		}
		for _, out := range a.outputs() {
			f.attention[out] = &a
		}
		for _, v := range a.unmade {
			f.fused[v] = true
		}
	}
	delete(f.attention, nil)
	return f
}

// makes says whether a tile has to compute v.
func (f *fusion) makes(v *dataflow.Value) bool {
	if a := f.attention[v]; a != nil {
		return a.exp == v
	}
	return !f.fused[v] && v.Op != dataflow.Source && v.Op != dataflow.Target && v.Op != dataflow.Mask
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

// readersOf is how often what a stage computes reads each value.
func readersOf(stage *dataflow.Stage) map[*dataflow.Value]int {
	readers, all := map[*dataflow.Value]int{}, slices.Concat(stage.Sums, stage.Small)
	for _, w := range stage.Waves {
		all = slices.Concat(all, w.Edges, w.Gathers, w.Rows)
	}
	for _, v := range all {
		for _, a := range v.Args {
			readers[a]++
		}
	}
	return readers
}

// fusedRows are what of the rows of vertices in a stage is not made: products x · y that one sum alone reads, of parts
// or of rows, where scalar products are computed at once, and scaled rows are added up; and what is on the way in
// chains. A sum reads what its wave has, the last one where it is of rows.
func fusedRows(stage *dataflow.Stage, sparse map[*dataflow.Value]bool) map[*dataflow.Value]bool {
	readers, fused := readersOf(stage), map[*dataflow.Value]bool{}
	for _, s := range scaledSums(stage) {
		for _, v := range s.unmade {
			fused[v] = true
		}
	}
	for i, w := range stage.Waves {
		sums := w.Rows
		if i == len(stage.Waves)-1 {
			sums = slices.Concat(sums, stage.Sums)
		}
		for _, v := range sums {
			if m := v.Args; (v.Op == dataflow.SumParts || v.Op == dataflow.SumRows) && readers[m[0]] == 1 &&
				slices.Contains(w.Rows, m[0]) && !slices.Contains(stage.Stored, m[0]) && isProductOfRows(m[0], v.Op, sparse) {
				fused[m[0]] = true
			}
		}
	}
	for v, p := range maskedProducts(stage) {
		if !fused[v] {
			fused[p.unmade[0]] = true
		}
	}
	return fused
}

// isProductOfRows says whether m is a product of rows that are as wide as it is, or, for a sum of rows, of such with
// rows of a number for each of their parts.
func isProductOfRows(m *dataflow.Value, by dataflow.Op, sparse map[*dataflow.Value]bool) bool {
	if m.Op != dataflow.Multiply || slices.ContainsFunc(m.Args, func(x *dataflow.Value) bool {
		return x.Op == dataflow.Mask || sparse[x]
	}) {
		return false
	}
	s, x := narrower(m)
	if by == dataflow.SumParts {
		return s.Width == m.Width
	}
	return s.Width < x.Width && s.Place == dataflow.Vertices && x.Place == dataflow.Vertices
}

// sumRowProducts makes the block's rows of SumParts(x · y).
func (b *block[T]) sumRowProducts(v *dataflow.Value) {
	x, y := b.of(v.Args[0].Args[0]), b.of(v.Args[0].Args[1])
	for i := 0; i < b.count; i += tileEdges {
		n := min(tileEdges, b.count-i)
		vector.DotParts(b.rows[v.ID][i*v.Width:], x.from(i, n), y.from(i, n), n, v.Width, x.width/v.Width)
	}
}

// addScaledRows adds the block's rows to SumRows(s · x).
func (b *block[T]) addScaledRows(v *dataflow.Value) {
	scale, rows := narrower(v.Args[0])
	s, x := b.of(scale), b.of(rows)
	vector.SumScaled(b.sums[v], x.data, s.data, b.count, s.width, x.width/s.width)
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
	vector.DotParts(b.tile.values[v.ID], x.from(0, n), y.from(0, n), n, v.Width, x.width/v.Width)
}
