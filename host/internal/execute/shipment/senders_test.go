package shipment

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Divided senders are the same vertices, each in one part.
func TestSenders_PartsAreDisjoint(t *testing.T) {
	rng := testseed.Rand(t)
	for range 300 {
		active := make([]uint64, 8)
		for i := range active {
			active[i] = rng.Uint64() & rng.Uint64()
		}
		base := rng.Uint64N(400)
		all := TakeSenders(active, chunk.Interval{Base: base, Count: 2 + rng.Uint64N(510-base)}, nil)
		parts := []Senders{all}
		for range rng.IntN(4) {
			last := parts[len(parts)-1]
			if last.Count < 2 {
				break
			}
			at := last.Base + 1 + rng.Uint64N(last.Count-1)
			parts = append(parts[:len(parts)-1], last.Before(at), last.From(at))
		}
		want, got := make([]uint64, 8), make([]uint64, 8)
		all.addTo(want)
		for _, part := range parts {
			one := make([]uint64, 8)
			part.addTo(one)
			for i := range one {
				if one[i]&got[i] != 0 {
					t.Fatalf("a vertex of %+v is in two of %+v", all, parts)
				}
				got[i] |= one[i]
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%+v of %+v: %x, want %x", parts, all, got, want)
		}
	}
}

// Lists of senders are found in a chunk that has rows before and behind theirs.
func TestSenders_SelectOutOfALargerChunk(t *testing.T) {
	rng, c := testseed.Rand(t), complete(t, 300)
	for range 200 {
		active := make([]uint64, 5)
		for i := range active {
			active[i] = rng.Uint64() & rng.Uint64()
		}
		base := rng.Uint64N(299)
		some := TakeSenders(active, chunk.Interval{Base: base, Count: 1 + rng.Uint64N(299-base)}, nil)
		want := uint64(0)
		for v := some.Base; v < some.End(); v++ {
			want += active[v/64] >> (v % 64) & 1
		}
		got := some.Select(c, chunk.Places{})
		if uint64(got.Lists()) != want || uint64(got.Edges()) != 300*want || want > 0 && got.First() < some.Base {
			t.Fatalf("%d lists with %d edges; %d of %+v send", got.Lists(), got.Edges(), want, some.Interval)
		}
	}
}
