package radixheap

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Whatever is put, and however keys fall meanwhile, what is taken has the least key of all that wait, if no key falls
// below the last that was taken; and none is taken twice.
func TestHeap_TakesTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 80).Draw(t, "n")
		key := rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64())
		keys := rapid.SliceOfN(key, n, n).Draw(t, "keys")
		h, waits := New(n, ordering.Order{}.KeysOf(vector.Column{Ints: keys})), map[uint32]bool{}
		for range 2 {
			last := rapid.Int64().Draw(t, "first")
			h.Start(last)
			clear(waits)
			for range rapid.IntRange(0, 200).Draw(t, "steps") {
				v := uint32(rapid.IntRange(0, n-1).Draw(t, "v"))
				if rapid.IntRange(0, 2).Draw(t, "put") > 0 {
					if waits[v] {
						keys[v] = max(min(keys[v], key.Draw(t, "key")), min(keys[v], last)) // it falls
					} else {
						keys[v] = max(key.Draw(t, "key"), last)
					}
					h.Put(v)
					waits[v] = true
					continue
				}
				last = take(t, h, keys, waits, last)
			}
			if h.Len() != len(waits) {
				t.Fatalf("%d wait, not %d", h.Len(), len(waits))
			}
		}
	})
}

func take(t *rapid.T, h *Heap, keys []int64, waits map[uint32]bool, last int64) int64 {
	least := int64(math.MaxInt64)
	for v := range waits {
		least = min(least, keys[v])
	}
	v, ok := h.Take()
	switch {
	case ok != (len(waits) > 0):
		t.Fatalf("took one: %v, of %d", ok, len(waits))
	case !ok:
		return last
	case !waits[v] || keys[v] != least:
		t.Fatalf("took %d, with key %d, which waits: %v; the least is %d", v, keys[v], waits[v], least)
	}
	delete(waits, v)
	return least
}

// A key below the last that was taken counts as that: nothing is lost.
func TestHeap_TakesWhatComesLate(t *testing.T) {
	keys := []int64{5, 7, 1}
	h := New(len(keys), ordering.Order{}.KeysOf(vector.Column{Ints: keys}))
	h.Start(5)
	h.Put(0)
	h.Put(1)
	h.Take()
	h.Put(2)
	for _, want := range []uint32{2, 1} {
		if v, ok := h.Take(); !ok || v != want {
			t.Errorf("took %d, %v; expected %d", v, ok, want)
		}
	}
	if _, ok := h.Take(); ok {
		t.Error("there is another")
	}
}
