// Package binaryheap is a queue of vertices in any order, the first first, in which vertices move up while they wait.
// (Williams, "Heapsort", 1964.)
package binaryheap

// Heap is such a queue. No vertex waits twice. It takes 8 bytes a vertex.
type Heap struct {
	before func(v, u uint32) bool
	heap   []uint32
	places []uint32 // of each vertex, where it is in the heap, from 1; 0: it is not
}

// Bytes is what a heap of n vertices takes.
func Bytes(n int) uint64 { return 8 * uint64(n) }

// New is an empty heap of n vertices, of which before tells whether one comes before another.
func New(n int, before func(v, u uint32) bool) Heap {
	return Heap{before: before, heap: make([]uint32, 0, n), places: make([]uint32, n)}
}

// Len is how many vertices wait.
func (h *Heap) Len() int { return len(h.heap) }

// First is the vertex that Take would take. There must be one.
func (h *Heap) First() uint32 { return h.heap[0] }

// Put adds v, or moves it up where it waits already.
func (h *Heap) Put(v uint32) {
	if h.places[v] == 0 {
		h.heap = append(h.heap, v)
		h.places[v] = uint32(len(h.heap))
	}
	at := int(h.places[v]) - 1
	for at > 0 {
		parent := (at - 1) / 2
		if !h.before(v, h.heap[parent]) {
			break
		}
		h.set(at, h.heap[parent])
		at = parent
	}
	h.set(at, v)
}

// Take takes the first out. There must be one.
func (h *Heap) Take() uint32 {
	first, last := h.heap[0], h.heap[len(h.heap)-1]
	h.heap = h.heap[:len(h.heap)-1]
	h.places[first] = 0
	at := 0
	for len(h.heap) > 0 {
		child := 2*at + 1
		if child+1 < len(h.heap) && h.before(h.heap[child+1], h.heap[child]) {
			child++
		}
		if child >= len(h.heap) || !h.before(h.heap[child], last) {
			h.set(at, last)
			break
		}
		h.set(at, h.heap[child])
		at = child
	}
	return first
}

// Clear takes all out, and returns the room that they had, for other use until the next is put.
func (h *Heap) Clear() []uint32 {
	for _, v := range h.heap {
		h.places[v] = 0
	}
	h.heap = h.heap[:0]
	return h.heap
}

func (h *Heap) set(at int, v uint32) { h.heap[at], h.places[v] = v, uint32(at+1) }
