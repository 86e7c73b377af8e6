package schedule

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats/chunk"
)

// set draws a bitmap over n vertices and the same set as a list of its members.
func set(t *rapid.T, n uint64) (Bitmap, map[uint64]bool) {
	bits, members := make(Bitmap, (n+63)/64), map[uint64]bool{}
	for _, v := range rapid.SliceOfN(rapid.Uint64Range(0, n-1), 0, 5).Draw(t, "members") {
		bits[v/64] |= 1 << (v % 64)
		members[v] = true
	}
	return bits, members
}

func interval(t *rapid.T, n uint64) chunk.Interval {
	base := rapid.Uint64Range(0, n-1).Draw(t, "base")
	return chunk.Interval{Base: base, Count: rapid.Uint64Range(0, n-base).Draw(t, "count")}
}

func anyMember(members map[uint64]bool, i chunk.Interval) bool {
	for v := range members {
		if v >= i.Base && v < i.End() {
			return true
		}
	}
	return false
}

func TestBitmap_Any_AgreesWithMembership(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 400).Draw(t, "vertices")
		bits, members := set(t, n)
		i := interval(t, n)
		if got, want := bits.Any(i), anyMember(members, i); got != want {
			t.Fatalf("Any(%+v) = %v, want %v; members %v", i, got, want, members)
		}
	})
}

func TestWhole_TakesExactlyChunksWithActiveSenders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 400).Draw(t, "vertices")
		bits, members := set(t, n)
		var chunks []Chunk
		var want []int
		for i := range rapid.IntRange(0, 8).Draw(t, "chunks") {
			a, b := interval(t, n), interval(t, n)
			chunks = append(chunks, Chunk{Senders: []chunk.Interval{a, b}})
			if anyMember(members, a) || anyMember(members, b) {
				want = append(want, i)
			}
		}
		if got := Whole(State{Chunks: chunks, Active: bits}); !slices.Equal(got, want) {
			t.Fatalf("Whole = %v, want %v", got, want)
		}
		if got := Whole(State{Chunks: chunks, Active: bits, All: true}); len(got) != len(chunks) {
			t.Fatalf("with all active: %d of %d chunks", len(got), len(chunks))
		}
	})
}
