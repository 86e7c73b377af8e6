package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// lists is a chunk with lists of so many vertices, of up to three edges each: of every vertex, or of
// some of more.
func lists(rng *rand.Rand, count int, sparse bool) *csr.Chunk {
	r := &csr.Chunk{Offsets: []int32{0}}
	v := uint32(0)
	for range count {
		if sparse {
			v += rng.Uint32N(100)
			r.Vertices = append(r.Vertices, v)
			v++
		}
		r.Neighbors = append(r.Neighbors, make([]uint32, rng.IntN(4))...)
		r.Offsets = append(r.Offsets, int32(len(r.Neighbors)))
	}
	r.Rows = chunk.Interval{Base: 7, Count: uint64(max(int(v), count))}
	return r
}

// The rows that send are found whatever the set is, and what is looked at is in proportion to them.
func TestFrontier_RowsLooksAtThoseThatSend(t *testing.T) {
	rng := testseed.Rand(t)
	for round := range 60 {
		r := lists(rng, 20_000, round%2 == 0)
		f := Frontier{Senders: make([]uint64, r.Rows.End()/64+1)}
		var want, got []int
		for range 1 << rng.IntN(16) {
			v := r.Rows.Base + rng.Uint64N(r.Rows.Count)
			f.Senders[v/64] |= 1 << (v % 64)
		}
		for row := range len(r.Offsets) - 1 {
			v := int(r.Rows.Base) + r.Local(row)
			if f.Senders[v/64]>>(v%64)&1 == 1 && r.Offsets[row] < r.Offsets[row+1] {
				want = append(want, row)
			}
		}
		looked := 0
		for s := range r.Segments() {
			looked += f.Rows(r, s, func(row, from, to int) {
				if len(got) == 0 || got[len(got)-1] != row {
					got = append(got, row)
				}
				if from < int(r.Offsets[row]) || from >= to || to > int(r.Offsets[row+1]) {
					t.Errorf("round %d: edges %d to %d of row %d", round, from, to, row)
				}
			})
		}
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: %d rows send, want %d", round, len(got), len(want))
		}
		members := 0
		for _, word := range f.Senders {
			for ; word != 0; word &= word - 1 {
				members++
			}
		}
		if looked > 2*members+r.Segments() {
			t.Errorf("round %d: %d rows looked at for %d that send", round, looked, members)
		}
	}
}
