package sample

import (
	"math/bits"
	"slices"
)

// Key is what the places of a list are drawn by.
func Key(seed uint64, epoch, hop int, vertex uint32) uint64 {
	return mix(mix(mix(mix(seed)^uint64(epoch))^uint64(hop)) ^ uint64(vertex))
}

// Places draws count of n places, ascending, where every set of so many is equally likely: Floyd's algorithm (Bentley
// and Floyd, CACM 30(9), 1987). It appends them to places, which is empty.
func Places(places []int, key uint64, n, count int) []int {
	for j := n - count; j < n; j++ {
		var t int
		t, key = below(key, j+1)
		at, taken := slices.BinarySearch(places, t)
		if taken { // j is larger than all that are there
			places = append(places, j)
		} else {
			places = slices.Insert(places, at, t)
		}
	}
	return places
}

// below draws one of n numbers, each equally likely: Lemire, "Fast random integer generation in an interval", 2019.
func below(key uint64, n int) (x int, next uint64) {
	for limit := -uint64(n) % uint64(n); ; {
		key += 0x9e3779b97f4a7c15
		if high, low := bits.Mul64(mix(key), uint64(n)); low >= limit {
			return int(high), key
		}
	}
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
