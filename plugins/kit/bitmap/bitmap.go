// Package bitmap is sets of vertices as devices hold them: vertex v is bit v%64 of word v/64.
package bitmap

import (
	"iter"
	"math/bits"
)

// Words is how many words a bitmap of n bits takes.
func Words(n int) int { return (n + 63) / 64 }

// Members are the bits that are set, ascending.
func Members(words []uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range words {
			for ; word != 0; word &= word - 1 {
				if !yield(i*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// Count is how many bits are set.
func Count(words []uint64) uint64 {
	count := 0
	for _, w := range words {
		count += bits.OnesCount64(w)
	}
	return uint64(count)
}
