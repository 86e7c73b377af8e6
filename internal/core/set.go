package core

import (
	"iter"
	"math/bits"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Set is vertices: v is in it when bit v%64 of word v/64 is set, as in a Layout's active set.
type Set []uint64

// NewSet is an empty set of a graph's vertices.
func NewSet(vertices uint64) Set { return make(Set, (vertices+63)/64) }

// Top are the first k by rank.
func Top(rank []uint32, k uint64) Set {
	s := NewSet(uint64(len(rank)))
	for v, place := range rank {
		if uint64(place) < k {
			s.Add(uint64(v))
		}
	}
	return s
}

// Window is the set of an interval.
func Window(vertices uint64, of chunk.Interval) Set {
	s := NewSet(vertices)
	for v := of.Base; v < of.End(); v++ {
		s.Add(v)
	}
	return s
}

// Add puts v into the set.
func (s Set) Add(v uint64) { s[v/64] |= 1 << (v % 64) }

// Has tells whether v is in the set.
func (s Set) Has(v uint64) bool { return s[v/64]>>(v%64)&1 != 0 }

// Count is how many there are.
func (s Set) Count() (n uint64) {
	for _, word := range s {
		n += uint64(bits.OnesCount64(word))
	}
	return n
}

// Members yields them, ascending.
func (s Set) Members() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for at, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(uint64(at*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}
