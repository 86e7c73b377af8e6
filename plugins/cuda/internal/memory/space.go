package memory

import (
	"cmp"
	"slices"
)

// Space is memory of which parts are taken and given back in any order: the first hole that is large enough is
// taken from (Knuth, TAOCP 1, section 2.5, first fit). Sizes are aligned, and places with them.
type Space struct{ holes []hole } // in order, none next to another

type hole struct{ at, bytes uint64 }

// NewSpace is so many bytes that are all free.
func NewSpace(bytes uint64) Space { return Space{[]hole{{0, bytes}}} }

// Take is the place of a part of so many bytes.
func (s *Space) Take(bytes uint64) (at uint64, ok bool) {
	for i := range s.holes {
		h := &s.holes[i]
		if h.bytes < bytes {
			continue
		}
		at = h.at
		h.at, h.bytes = h.at+bytes, h.bytes-bytes
		if h.bytes == 0 {
			s.holes = slices.Delete(s.holes, i, i+1)
		}
		return at, true
	}
	return 0, false
}

// Give gives a part back.
func (s *Space) Give(at, bytes uint64) {
	i, _ := slices.BinarySearchFunc(s.holes, at, func(h hole, at uint64) int { return cmp.Compare(h.at, at) })
	s.holes = slices.Insert(s.holes, i, hole{at, bytes})
	s.join(i)
	if i > 0 {
		s.join(i - 1)
	}
}

// join makes one hole of two that touch.
func (s *Space) join(i int) {
	if i+1 < len(s.holes) && s.holes[i].at+s.holes[i].bytes == s.holes[i+1].at {
		s.holes[i].bytes += s.holes[i+1].bytes
		s.holes = slices.Delete(s.holes, i+1, i+2)
	}
}
