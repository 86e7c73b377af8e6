package npu

import (
	"iter"
	"math"
	"math/bits"
)

// wordCount is the words of a bitmap of n bits.
func wordCount(n int) int { return (n + 63) / 64 }

// members are the bits that are set, ascending.
func members(words []uint64) iter.Seq[int] {
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

func popcount(words []uint64) uint64 {
	count := 0
	for _, w := range words {
		count += bits.OnesCount64(w)
	}
	return uint64(count)
}

// setAll sets the first n bits of words.
func setAll(words []uint64, n int) {
	for i := range n / 64 {
		words[i] = math.MaxUint64
	}
	if n%64 != 0 {
		words[n/64] = 1<<(n%64) - 1
	}
}

func isMember(words []uint64, v int) bool { return words[v/64]>>(v%64)&1 != 0 }
