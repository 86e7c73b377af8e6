package vector

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// drawLists are lists of edges to some of so many vertices, some of them empty, one after the other.
func drawLists(r *rand.Rand, n, vertices int) (others []uint32, offsets []int64) {
	offsets = []int64{0}
	for range n {
		for range r.IntN(2) * r.IntN(40) {
			others = append(others, uint32(r.IntN(vertices)))
		}
		offsets = append(offsets, int64(len(others)))
	}
	return others, offsets
}

// Edges are of the row in whose list they are, wherever one begins and ends, and nothing beside is written.
func TestOwnRuns(t *testing.T) {
	r := testseed.Rand(t)
	for range 300 {
		_, offsets := drawLists(r, 1+r.IntN(60), 1)
		edges := int(offsets[len(offsets)-1])
		first := r.IntN(edges + 1)
		count := r.IntN(edges - first + 1)
		base := r.IntN(1 + max(0, slices.IndexFunc(offsets, func(o int64) bool { return o > int64(first) })-1))
		var rows, vertices []uint32
		for e := first; e < first+count; e++ {
			v := slices.IndexFunc(offsets, func(o int64) bool { return o > int64(e) }) - 1
			rows, vertices = append(rows, uint32(v-base)), append(vertices, uint32(v))
		}
		begin := 0
		if count > 0 {
			begin = r.IntN(int(rows[0]) + 1)
		}
		for _, l := range Levels() {
			At(l, func() {
				own, from := make([]uint32, count+20), make([]uint32, count+20)
				behind := OwnRuns(own[:count], from[:count], offsets, first, base, begin)
				if !slices.Equal(own[:count], rows) || !slices.Equal(from[:count], vertices) || slices.Max(own[count:]) != 0 ||
					slices.Max(from[count:]) != 0 || count > 0 && behind != int(rows[count-1])+1 {
					t.Fatalf("%v: edges %d to %d, base %d: rows %v, vertices %v, behind %d; expected %v, %v", l, first, first+count,
						base, own, from, behind, rows, vertices)
				}
			})
		}
	}
}

// The largest of lists are those of their rows one by one, where there is a kernel; rows without a list stay.
func TestMaxLists(t *testing.T) {
	r := testseed.Rand(t)
	made := 0
	for range 300 {
		n, width := r.IntN(20), 1+r.IntN(10)
		others, offsets := drawLists(r, n+3, 30)
		offsets = offsets[r.IntN(4):][:n+1]
		x, before := normal(r, 30*width), normal(r, n*width+8)
		for _, l := range Levels() {
			At(l, func() {
				to := slices.Clone(before)
				if is := MaxLists(to[:n*width], x, others, offsets, width); is != (l >= AVX512 && width <= RunWidth) {
					t.Fatalf("%v, rows of %d: there is a kernel: %v", l, width, is)
				} else if !is {
					return
				}
				made++
				want := slices.Clone(before)
				for i := range n {
					for e := offsets[i]; e < offsets[i+1]; e++ {
						for j, a := range x[int(others[e])*width:][:width] {
							if e == offsets[i] || a > want[i*width+j] {
								want[i*width+j] = a
							}
						}
					}
				}
				if !slices.Equal(to, want) {
					t.Fatalf("%v, %d rows of %d: %v, expected %v", l, n, width, to, want)
				}
			})
		}
	}
	if made == 0 && slices.Contains(Levels(), AVX512) {
		t.Error("no kernel was tried")
	}
}

// The sums of lists are those of their rows one by one, to the bit, where there is a kernel; nothing beside is written.
func TestSumLists(t *testing.T) {
	r := testseed.Rand(t)
	made := 0
	for range 300 {
		n, width := r.IntN(20), 1+r.IntN(80)
		others, offsets := drawLists(r, n+3, 30)
		offsets = offsets[r.IntN(4):][:n+1]
		x, before := normal(r, 30*width), normal(r, n*width+8)
		want := slices.Clone(before)
		for i := range n {
			for _, v := range others[offsets[i]:offsets[i+1]] {
				for j, a := range x[int(v)*width:][:width] {
					want[i*width+j] += a
				}
			}
		}
		for _, l := range Levels() {
			At(l, func() {
				to := slices.Clone(before)
				if is := SumLists(to[:n*width], x, others, offsets, width); is != (l == AVX2) {
					t.Fatalf("%v, rows of %d: there is a kernel: %v", l, width, is)
				} else if !is {
					return
				}
				made++
				if !slices.Equal(to, want) {
					t.Fatalf("%v, %d rows of %d: %v, expected %v", l, n, width, to, want)
				}
			})
		}
	}
	if made == 0 && slices.Contains(Levels(), AVX2) {
		t.Error("no kernel was tried")
	}
}
