package schedule

import (
	"iter"
	"math/bits"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Bitmap is a set of vertices: v is in it when bit v%64 of word v/64 is set.
type Bitmap []uint64

// Any tells whether some vertex of the interval is in the set. It looks at a word for 64 vertices.
func (b Bitmap) Any(i chunk.Interval) bool {
	for range b.words(i) {
		return true
	}
	return false
}

// words yields the words, other than 0, of the set's part in an interval.
func (b Bitmap) words(i chunk.Interval) iter.Seq2[uint64, uint64] {
	return func(yield func(uint64, uint64) bool) {
		if i.Count == 0 {
			return
		}
		for at := i.Base / 64; at*64 < i.End(); at++ {
			if word := b[at] & Within(at, i); word != 0 && !yield(at, word) {
				return
			}
		}
	}
}

// Within is a word of a bitmap in which the vertices of an interval are set. The word must
// have some of them.
func Within(word uint64, i chunk.Interval) uint64 {
	mask := ^uint64(0)
	if start := word * 64; start < i.Base {
		mask &= ^uint64(0) << (i.Base - start)
	}
	if end := word*64 + 64; end > i.End() {
		mask &= ^uint64(0) >> (end - i.End())
	}
	return mask
}

// Members yields the interval's vertices that are in the set, ascending.
func (b Bitmap) Members(i chunk.Interval) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for at, word := range b.words(i) {
			for ; word != 0; word &= word - 1 {
				if !yield(at*64 + uint64(bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// Longest is the largest degree of the interval's vertices that are in the set.
func (b Bitmap) Longest(i chunk.Interval, degrees []uint32) (longest uint32) {
	for v := range b.Members(i) {
		longest = max(longest, degrees[v])
	}
	return longest
}

// Count is how many vertices of the interval are in the set.
func (b Bitmap) Count(i chunk.Interval) (n uint64) {
	for _, word := range b.words(i) {
		n += uint64(bits.OnesCount64(word))
	}
	return n
}

// Wanted is how many lists the interval's vertices that are in the set have with an edge at places, and how many edges
// these are.
func (b Bitmap) Wanted(i chunk.Interval, degrees []uint32, places chunk.Places) (lists, edges uint64) {
	for v := range b.Members(i) {
		if n := uint64(places.In(degrees[v])); n > 0 {
			lists, edges = lists+1, edges+n
		}
	}
	return lists, edges
}

// Demand adds up how many edges the interval's vertices that are in the set have at places of
// their lists: how many they want.
func (b Bitmap) Demand(i chunk.Interval, degrees []uint32, places chunk.Places) (edges uint64) {
	for v := range b.Members(i) {
		edges += uint64(places.In(degrees[v]))
	}
	return edges
}

// Fill makes all vertices of an interval members.
func (b Bitmap) Fill(i chunk.Interval) {
	for at := i.Base / 64; at*64 < i.End(); at++ {
		b[at] |= Within(at, i)
	}
}

// Has tells whether a vertex is in the set.
func (b Bitmap) Has(v uint64) bool { return b[v/64]>>(v%64)&1 != 0 }

// Add puts a vertex into the set.
func (b Bitmap) Add(v uint64) { b[v/64] |= 1 << (v % 64) }

// Remove takes a vertex out of the set.
func (b Bitmap) Remove(v uint64) { b[v/64] &^= 1 << (v % 64) }
