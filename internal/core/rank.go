package core

import "slices"

// Rank is each vertex's place by descending degree, ties by ascending number. It takes 8 bytes a
// vertex beside the answer.
func Rank(degrees []uint32) []uint32 {
	order := make([]uint64, len(degrees))
	for v, degree := range degrees {
		order[v] = uint64(^degree)<<32 | uint64(v)
	}
	slices.Sort(order)
	rank := make([]uint32, len(degrees))
	for place, v := range order {
		rank[uint32(v)] = uint32(place)
	}
	return rank
}
