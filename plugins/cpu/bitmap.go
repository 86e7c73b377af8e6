package cpu

import (
	"iter"
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

// within is the bits of a word that stand for [from, to).
func within(word, from, to int) uint64 {
	mask := ^uint64(0)
	if first := word * 64; first < from {
		mask <<= from - first
	}
	if last := word*64 + 64; to < last {
		mask &= ^uint64(0) >> (last - to)
	}
	return mask
}

// spans calls do for each longest run [first, end) of words that are not 0.
func spans(words []uint64, do func(first, end int)) {
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

func popcount(words []uint64) uint64 {
	count := 0
	for _, w := range words {
		count += bits.OnesCount64(w)
	}
	return uint64(count)
}
