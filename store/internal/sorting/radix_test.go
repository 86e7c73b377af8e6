package sorting

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSorter_IsAStableSort(t *testing.T) {
	type pair struct {
		key    uint64
		number uint32
	}
	s := new(Sorter)
	rapid.Check(t, func(t *rapid.T) {
		mask := rapid.SampledFrom([]uint64{3, 1<<40 - 1, 0xffff00000000ffff, ^uint64(0)}).Draw(t, "mask")
		keys := rapid.SliceOf(rapid.Map(rapid.Uint64(), func(k uint64) uint64 { return k & mask })).Draw(t, "keys")
		want := make([]pair, len(keys))
		numbers := make([]uint32, len(keys))
		for i, k := range keys {
			want[i], numbers[i] = pair{k, uint32(i)}, uint32(i)
		}
		slices.SortStableFunc(want, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
		alone, _ := s.Sort(slices.Clone(keys), nil)
		alone = slices.Clone(alone)
		keys, numbers = s.Sort(keys, numbers)
		for i, w := range want {
			if keys[i] != w.key || numbers[i] != w.number || alone[i] != w.key {
				t.Fatalf("place %d: %d (%d), %d; want %v", i, keys[i], numbers[i], alone[i], w)
			}
		}
	})
}
