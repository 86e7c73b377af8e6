package activity

import "math"

// Within is the bits of a word that stand for [from, to).
func Within(word, from, to int) uint64 {
	mask := ^uint64(0)
	if first := word * 64; first < from {
		mask <<= from - first
	}
	if last := word*64 + 64; to < last {
		mask &= ^uint64(0) >> (last - to)
	}
	return mask
}

// Runs calls do for each longest run [first, end) of words that are not 0.
func Runs(words []uint64, do func(first, end int)) {
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

// SetAll sets the first n bits of words and clears the rest.
func SetAll(words []uint64, n int) uint64 {
	clear(words)
	for i := range n / 64 {
		words[i] = math.MaxUint64
	}
	if n%64 != 0 {
		words[n/64] = 1<<(n%64) - 1
	}
	return uint64(n)
}
