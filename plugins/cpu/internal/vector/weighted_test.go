package vector

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Sums of weighted rows are what float64 gives, for any width and parts, the same bits by every kernel, plain sums
// beside some of them those of rows that are added up alone, and nothing beside them is written.
func TestAddWeighted(t *testing.T) {
	r := testseed.Rand(t)
	for range 400 {
		n, parts, part, sums := r.IntN(20), 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(3)
		if r.IntN(2) == 0 {
			part = []int{8, 8, 32, 64}[r.IntN(4)]
		}
		width := parts * part
		x := Operand[float32]{Of: normal(r, 30*width)}
		if r.IntN(2) == 0 {
			for range n {
				x.Index = append(x.Index, uint32(r.IntN(30)))
			}
		}
		own := make([]uint32, n)
		for e := 1; e < n; e++ {
			own[e] = own[e-1] + uint32(r.IntN(4)/2)
		}
		rows := 20 * width
		var before, scales, plain, added, vectors [][]float32
		for range sums {
			before, scales = append(before, normal(r, rows+8)), append(scales, normal(r, n*parts))
			plain, added = append(plain, nil), append(added, nil)
			if r.IntN(3) > 0 {
				plain[len(plain)-1], added[len(added)-1] = normal(r, 20*parts+8), normal(r, n*parts)
			}
		}
		for _, l := range Levels() {
			At(l, func() {
				var all []Weighted[float32]
				var got, beside [][]float32
				for k := range sums {
					to, of := slices.Clone(before[k]), slices.Clone(plain[k])
					got, beside = append(got, to), append(beside, of)
					all = append(all, Weighted[float32]{To: to[:rows], Scale: scales[k]})
					if of != nil {
						all[k].Plain, all[k].Add = of[:20*parts], added[k]
					}
				}
				AddWeighted(NewParts(width, parts), all, x, own)
				for k, of := range beside {
					want := slices.Clone(plain[k])
					if of != nil {
						AddRuns(want[:20*parts], own, added[k], parts)
					}
					if !slices.Equal(of, want) {
						t.Fatalf("%v, %d parts of %d, %d rows: plain sum %d is %v, not %v", l, parts, part, n, k, of, want)
					}
				}
				for k, to := range got {
					for j, a := range to {
						want := float64(before[k][j])
						size := math.Abs(want)
						for e, row := range own {
							if int(row) != j/width {
								continue
							}
							a := float64(scales[k][e*parts+j%width/part]) * float64(x.row(e, width)[j%width])
							want, size = want+a, size+math.Abs(a)
						}
						if !(math.Abs(float64(a)-want) <= 1e-6*size) || j >= rows && a != before[k][j] {
							t.Fatalf("%v, %d parts of %d, %d rows: number %d of sum %d is %v, not %v", l, parts, part, n, j, k, a, want)
						}
					}
				}
				if l > Plain && vectors != nil && !slices.EqualFunc(vectors, got, slices.Equal) {
					t.Fatalf("%v, %d parts of %d, %d rows: other bits than by AVX2", l, parts, part, n)
				}
				if l > Plain {
					vectors = got
				}
				checkRuns(t, l, before[0], own, x.Of, width)
			})
		}
	}
}

// checkRuns compares sums of rows that follow each other.
func checkRuns(t *testing.T, l Level, before []float32, own []uint32, x []float32, width int) {
	t.Helper()
	to := slices.Clone(before)
	AddRuns(to[:20*width], own, x, width)
	for j, a := range to {
		want := float64(before[j])
		size := math.Abs(want)
		for e, row := range own {
			if int(row) == j/width {
				want, size = want+float64(x[e*width+j%width]), size+math.Abs(float64(x[e*width+j%width]))
			}
		}
		if !(math.Abs(float64(a)-want) <= 1e-6*size) {
			t.Fatalf("%v, rows of %d: number %d is %v, not %v", l, width, j, a, want)
		}
	}
}

// Of heads of eight columns, and of parts of 32, AVX2 takes 32 columns at a time without masks; the rest as others do.
func TestNewParts_Whole(t *testing.T) {
	for _, c := range []struct{ columns, parts, whole, pieces int }{
		{64, 8, 2, 2}, {72, 9, 2, 3}, {24, 3, 0, 2}, {64, 1, 2, 2}, {40, 1, 0, 3}, {64, 4, 0, 4}, {7, 1, 0, 1},
	} {
		whole, pieces := 0, NewParts(c.columns, c.parts).pieces[0]
		for _, p := range pieces {
			if p.whole {
				whole++
			}
		}
		if whole != c.whole || len(pieces) != c.pieces {
			t.Errorf("%d columns in %d parts: %d pieces, %d whole", c.columns, c.parts, len(pieces), whole)
		}
	}
}
