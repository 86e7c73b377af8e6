// Package radixheap is a queue of vertices by their keys, the least first, in which keys fall while vertices wait.
// (Ahuja, Mehlhorn, Orlin, Tarjan, "Faster algorithms for the shortest path problem", Journal of the ACM 1990, one
// level.)
package radixheap

import (
	"math/bits"

	"github.com/penstock-db/penstock/plugins/internal/ordering"
)

// Heap is such a queue. A vertex waits in the bucket of the highest bit in which its key differs from the last key
// that was taken out. Each bucket is a list through the vertices, so that a heap takes the same memory however many
// wait, and none waits twice.
type Heap struct {
	keys   ordering.Keys // of the vertices, as they are now
	last   uint64        // the key that was taken last
	filled uint64        // buckets from 1 on that are not empty, bucket i by bit i-1
	heads  [65]uint32
	links  []link
	bucket []uint8 // 1 + that of each vertex; 0: it does not wait
	count  int
}

// link is the vertices before and behind one in its bucket, by 1 + their number; 0: none.
type link struct{ before, behind uint32 }

// Bytes is what a heap of n vertices takes.
func Bytes(n int) uint64 { return 9 * uint64(n) }

// New is an empty heap of n vertices, fewer than 2^32 - 1, that have these keys.
func New(n int, keys ordering.Keys) *Heap {
	return &Heap{keys: keys, links: make([]link, n), bucket: make([]uint8, n)}
}

// Len is how many vertices wait.
func (h *Heap) Len() int { return h.count }

// key is that of a vertex, ordered as unsigned numbers are.
func (h *Heap) key(v uint32) uint64 { return uint64(h.keys.Of(v)) ^ 1<<63 }

// Start empties the heap. No key that comes should be less than first; those that are count as first.
func (h *Heap) Start(first int64) {
	for b, head := range h.heads {
		for at := head; at != 0; at = h.links[at-1].behind {
			h.bucket[at-1] = 0
		}
		h.heads[b] = 0
	}
	h.filled, h.count, h.last = 0, 0, uint64(first)^1<<63
}

// Put has a vertex wait by the key that it has now, or go on waiting where it did by a greater one.
func (h *Heap) Put(v uint32) {
	b := uint8(0)
	if key := h.key(v); key > h.last {
		b = uint8(bits.Len64(key ^ h.last))
	}
	switch h.bucket[v] {
	case b + 1:
		return
	case 0:
		h.count++
	default:
		h.unlink(v)
	}
	h.link(v, b)
}

func (h *Heap) link(v uint32, b uint8) {
	head := h.heads[b]
	h.links[v] = link{behind: head}
	if head != 0 {
		h.links[head-1].before = v + 1
	}
	h.heads[b], h.bucket[v] = v+1, b+1
	if b > 0 {
		h.filled |= 1 << (b - 1)
	}
}

func (h *Heap) unlink(v uint32) {
	b, l := h.bucket[v]-1, h.links[v]
	if l.behind != 0 {
		h.links[l.behind-1].before = l.before
	}
	if l.before != 0 {
		h.links[l.before-1].behind = l.behind
	} else if h.heads[b] = l.behind; l.behind == 0 && b > 0 {
		h.filled &^= 1 << (b - 1)
	}
}

// Take takes out a vertex of the least key.
func (h *Heap) Take() (v uint32, ok bool) {
	if h.heads[0] == 0 && !h.spread() {
		return 0, false
	}
	v = h.heads[0] - 1
	h.unlink(v)
	h.bucket[v] = 0
	h.count--
	return v, true
}

// spread puts the vertices of the first bucket that has any into those before it, so that the least are in the first of
// all. It tells whether there were any.
func (h *Heap) spread() bool {
	if h.filled == 0 {
		return false
	}
	b := uint8(bits.TrailingZeros64(h.filled) + 1)
	first := h.heads[b]
	h.last = h.key(first - 1)
	for at := h.links[first-1].behind; at != 0; at = h.links[at-1].behind {
		h.last = min(h.last, h.key(at-1))
	}
	h.heads[b], h.filled = 0, h.filled&(h.filled-1)
	for at := first; at != 0; {
		v := at - 1
		at = h.links[v].behind
		h.link(v, uint8(bits.Len64(h.key(v)^h.last)))
	}
	return true
}
