// Package heldout tells which edges are held out of learning, by their ends alone: host and device agree on it without
// a word, and edges between the same two vertices are always for the same.
package heldout

// Place is where the edge from u to v stands among all, evenly from 0 to below 1. The first share of that is learned
// from.
func Place(seed, u, v uint64) float64 {
	const bits = 53
	return float64(mix(mix(mix(seed)+u)+v)>>(64-bits)) / (1 << bits)
}

// mix is a step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
