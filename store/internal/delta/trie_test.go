package delta

import (
	"maps"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Versions of a Trie are what maps are, and later changes leave earlier versions alone.
func TestTrie_IsAMapInVersions(t *testing.T) {
	r := testseed.Rand(t)
	type version struct {
		trie Trie[int]
		want map[uint64]*int
	}
	versions := []version{{want: map[uint64]*int{}}}
	for range 60 {
		from := versions[r.IntN(len(versions))]
		next := version{from.trie, maps.Clone(from.want)}
		o := new(owner)
		for range r.IntN(100) {
			id, v := r.Uint64()>>r.IntN(64), new(int)
			next.trie.set(o, id, v)
			next.want[id] = v
		}
		versions = append(versions, next)
	}
	for _, v := range versions {
		ids := slices.Sorted(maps.Keys(v.want))
		var got []uint64
		for id, value, ok := v.trie.Next(0); ok; id, value, ok = v.trie.Next(id + 1) {
			if value != v.want[id] || v.trie.Get(id) != value {
				t.Fatalf("the value of %d is another", id)
			}
			if got = append(got, id); id == 1<<64-1 {
				break
			}
		}
		if !slices.Equal(got, ids) {
			t.Fatalf("ids are %v, not %v", got, ids)
		}
		for range 100 {
			at := r.Uint64() >> r.IntN(64)
			i, exact := slices.BinarySearch(ids, at)
			id, _, ok := v.trie.Next(at)
			if ok != (i < len(ids)) || ok && id != ids[i] || (v.trie.Get(at) != nil) != exact {
				t.Fatalf("from %d on comes %d", at, id)
			}
		}
	}
}

// A Trie has as many levels as its largest id needs, however it grew.
func TestTrie_Levels(t *testing.T) {
	for _, ids := range [][]uint64{{0}, {63}, {64}, {0, 63, 64}, {4095, 4096}, {1 << 40}, {5, 1 << 40}, {1 << 40, 5},
		{1<<64 - 1}} {
		var trie Trie[int]
		o := new(owner)
		for _, id := range ids {
			trie.set(o, id, new(int))
		}
		want := uint(0)
		for slices.Max(ids)>>want>>radixBits != 0 {
			want += radixBits
		}
		if trie.shift != want {
			t.Errorf("ids %v: the root is at bit %d, want %d", ids, trie.shift, want)
		}
	}
}

func TestTrie_NextOfNone(t *testing.T) {
	var trie Trie[int]
	if id, v, ok := trie.Next(0); id != 0 || v != nil || ok {
		t.Errorf("an empty one has %d", id)
	}
	trie.set(new(owner), 100, new(int))
	for _, at := range []uint64{101, 128, 4096, 1 << 63} {
		if id, v, ok := trie.Next(at); id != 0 || v != nil || ok {
			t.Errorf("from %d on there is %d", at, id)
		}
	}
}
