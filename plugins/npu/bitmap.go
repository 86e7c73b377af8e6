package npu

import "math"

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
