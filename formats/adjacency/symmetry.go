package adjacency

import (
	"bytes"

	"github.com/cespare/xxhash/v2"
)

// symmetry checks in constant memory that lists hold each pair from both ends: the
// hashes of the pairs seen from the smaller end must add up to those seen from the
// larger one. Lists that differ pass with a probability of about 2^-64.
type symmetry struct{ sum uint64 }

// add takes the entry neighbor of vertex's list. It is true for the one of the two
// that makes the edge: from the smaller end, or a loop.
func (s *symmetry) add(vertex, neighbor []byte) bool {
	switch bytes.Compare(vertex, neighbor) {
	case -1:
		s.sum += pairHash(vertex, neighbor)
		return true
	case 1:
		s.sum -= pairHash(neighbor, vertex)
		return false
	}
	return true
}

func (s *symmetry) holds() bool { return s.sum == 0 }

// pairHash is asymmetric, and not linear in either half.
func pairHash(small, large []byte) uint64 {
	return mix(mix(xxhash.Sum64(small)) + xxhash.Sum64(large))
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
