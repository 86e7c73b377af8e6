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

// Common are the bits that are set in both of two bitmaps of one length, ascending.
func Common(a, b []uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range a {
			for word &= b[i]; word != 0; word &= word - 1 {
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

// Has tells whether bit v is set.
func Has(words []uint64, v int) bool { return words[v/64]>>(v%64)&1 != 0 }

// Fill sets the first n bits of words, clears the rest, and returns n.
func Fill(words []uint64, n int) uint64 {
	for i := range words {
		words[i] = Within(i, 0, n)
	}
	return uint64(n)
}

// Within is the bits of word number word that stand for [from, to).
func Within(word, from, to int) uint64 {
	mask := ^uint64(0)
	if first := word * 64; first < from {
		mask <<= from - first
	}
	if end := word*64 + 64; to < end {
		mask &= ^uint64(0) >> (end - to)
	}
	return mask
}

// Spans calls do for each longest run [first, end) of words that are not 0.
func Spans(words []uint64, do func(first, end int)) {
	for first := 0; first < len(words); first++ {
		end := first
		for end < len(words) && words[end] != 0 {
			end++
		}
		if end > first {
			do(first, end)
			first = end
		}
	}
}
