package engine

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
)

// A round looks at the sums of vertices that may send in it, and at no others: the words of the
// others are marked whole, as a push has left them.
func TestSettle_ARoundLooksOnlyAtWordsOfItsVertices(t *testing.T) {
	const words = 8
	acc := &kernels.Accumulators{Reduce: algorithms.Sum, Typ: algorithms.Float, N: 64 * words}
	acc.Allocate(false, 1, 0)
	for i := range acc.Touched {
		acc.Touched[i], acc.Sums.Floats[64*i+3] = math.MaxUint64, 1
	}
	a := arriving{applier{acc: acc, active: make([]uint64, words)}, make([]uint64, words)}
	set := make([]uint64, words)
	set[2] = 1 << 3
	for i := range words {
		want := uint64(0)
		if i == 2 {
			want = 1 << 3
		}
		if got := a.arrived(i, set[i]); got != want {
			t.Errorf("of word %d, %b has arrived, want %b", i, got, want)
		}
	}
	for i, word := range acc.Touched {
		if looked := word != math.MaxUint64; looked != (i == 2) {
			t.Errorf("word %d: looked at %t; its marks are %b", i, looked, word)
		}
	}
	acc.Sums.Floats[64*2+5] = 1 // without a mark
	if got := acc.Reached(2, math.MaxUint64); got != 1<<3 {
		t.Errorf("word 2 was looked at again: %b", got)
	}
}
