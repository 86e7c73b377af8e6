package vector

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/internal/testseed"
)

// All levels drop what dataflow.Dropout says, of vertices and of edges, of any width.
func TestMask(t *testing.T) {
	r := testseed.Rand(t)
	b := dataflow.NewBuilder(true)
	for i := range 300 {
		rate := float64(r.IntN(10)) / 10
		dropout := dataflow.Dropout{Seed: r.Uint64(), Epoch: r.IntN(9), Off: i%17 == 0}
		wide := 1 + r.IntN(50)
		if widths := []int{1, 4, 8, 16, 32, 64, 128}; r.IntN(2) == 0 {
			wide = widths[r.IntN(len(widths))]
		}
		mask := b.Mask(b.Input("x", wide), rate, i)
		of, n, width := dropout.Key(mask), r.IntN(40), mask.Width
		first := r.Uint64() >> (r.IntN(2) * 40)
		x, times := normal(r, n*width), normal(r, n*width)
		sources, targets, columns := make([]uint32, n), make([]uint32, n), make([]uint32, n)
		for e := range n {
			sources[e], targets[e], columns[e] = r.Uint32(), r.Uint32(), uint32(r.IntN(4000))
		}
		for _, l := range Levels() {
			At(l, func() {
				keys, edges := make([]uint64, n), make([]uint64, n)
				VertexKeys(keys, first, of)
				EdgeKeys(edges, sources, targets, of)
				to, along := make([]float32, n*width+8), make([]float32, n*width+8)
				Mask(to[:n*width], x, keys, width, of)
				Mask(along[:n*width], x, edges, width, of)
				product := make([]float32, n*width+8)
				MaskProduct(product[:n*width], x, times, keys, width, of)
				for i := range to {
					var want, edge float32
					if i < n*width {
						e := i / width
						want = x[i] * float32(dropout.Factor(mask, first+uint64(e), i%width))
						edge = x[i] * float32(dropout.Factor(mask, dataflow.EdgeRow(uint64(sources[e]), uint64(targets[e])), i%width))
					}
					if i < n*width && product[i] != want*times[i] || i >= n*width && product[i] != 0 {
						t.Fatalf("%v, width %d, rate %v: number %d of %d times %v is %v, not %v", l, width, rate, i, n*width,
							times[i], product[i], want*times[i])
					}
					if to[i] != want || along[i] != edge {
						t.Fatalf("%v, width %d, rate %v: number %d of %d is %v and %v, not %v and %v", l, width, rate, i, n*width,
							to[i], along[i], want, edge)
					}
				}
				few, places := make([]float32, n+8), make([]uint32, n+8)
				kept := MaskSparse(few[:n], places[:n], x[:n], columns, of.Row(first))
				for e, j := range columns {
					factor := float32(dropout.Factor(mask, first, int(j)))
					if factor == 0 {
						continue
					}
					if few[0] != x[e]*factor || places[0] != j {
						t.Fatalf("%v: number %d is %v in column %d, not %v in %d", l, e, few[0], places[0], x[e]*factor, j)
					}
					few, places, kept = few[1:], places[1:], kept-1
				}
				if kept != 0 {
					t.Fatalf("%v: %d numbers are kept too many", l, kept)
				}
				if slices.Max(places[len(places)-8:]) != 0 || few[len(few)-8] != 0 {
					t.Fatalf("%v: sparse numbers are written behind their end", l)
				}
			})
		}
	}
}

// What a mask keeps of a column is what it keeps of the rows, in place too, and nothing beside is written.
func TestMaskColumn(t *testing.T) {
	r := testseed.Rand(t)
	b := dataflow.NewBuilder(true)
	for i := range 300 {
		rate := float64(r.IntN(10)) / 10
		mask := b.Mask(b.Input("x", 100), rate, i)
		dropout := dataflow.Dropout{Seed: r.Uint64(), Epoch: r.IntN(9), Off: i%17 == 0}
		of, n, column, keys := dropout.Key(mask), r.IntN(40), r.IntN(100), make([]uint64, 50)
		VertexKeys(keys, 0, of)
		x, rows := normal(r, n+8), make([]uint32, n+8)
		var want []float32
		var where []uint32
		for e := range n {
			rows[e] = uint32(r.IntN(len(keys)))
			if f := float32(dropout.Factor(mask, uint64(rows[e]), column)); f != 0 {
				want, where = append(want, x[e]*f), append(where, rows[e])
			}
		}
		for _, l := range Levels() {
			At(l, func() {
				to, places := make([]float32, n+8), make([]uint32, n+8)
				kept := MaskColumn(to[:n], places[:n], x, rows[:n], keys, column, of)
				if !slices.Equal(to[:kept], want) || !slices.Equal(places[:kept], where) || slices.Max(places[n:]) != 0 ||
					slices.Max(to[n:]) != 0 {
					t.Fatalf("%v, rate %v: %v in %v, expected %v in %v", l, rate, to, places, want, where)
				}
				to, places = slices.Clone(x), slices.Clone(rows)
				kept = MaskColumn(to[:n], places[:n], to, places[:n], keys, column, of)
				if !slices.Equal(to[:kept], want) || !slices.Equal(places[:kept], where) {
					t.Fatalf("%v, rate %v, in place: %v in %v, expected %v in %v", l, rate, to, places, want, where)
				}
			})
		}
	}
}
