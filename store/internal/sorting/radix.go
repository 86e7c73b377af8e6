package sorting

import "slices"

// digitBits is the width of a digit: 2^11 counters of 4 bytes fit the first-level cache.
const digitBits = 11

// Sorter sorts keys, each with a number, by least-significant-digit radix sort: it is
// stable, and takes one pass for each digit in which the keys differ. Its buffers take
// as much memory as what it sorts.
type Sorter struct {
	keys    []uint64
	numbers []uint32
}

// Sort orders keys ascending and numbers (nil, or one for each key) alike. The result
// lies in the arguments or in the sorter's buffers; the others are the buffers of the next call.
func (s *Sorter) Sort(keys []uint64, numbers []uint32) ([]uint64, []uint32) {
	s.keys = slices.Grow(s.keys[:0], len(keys))[:len(keys)]
	s.numbers = slices.Grow(s.numbers[:0], len(numbers))[:len(numbers)]
	var all, common uint64 = 0, ^uint64(0)
	for _, k := range keys {
		all |= k
		common &= k
	}
	for shift := uint(0); shift < 64; shift += digitBits {
		if (all^common)>>shift&(1<<digitBits-1) != 0 {
			s.pass(keys, numbers, shift)
			keys, s.keys = s.keys, keys
			numbers, s.numbers = s.numbers, numbers
		}
	}
	return keys, numbers
}

// SortLow orders keys by their low bits alone. The result lies in the argument, which
// stays the caller's, or in the sorter's buffer, where it is valid until the next call.
func (s *Sorter) SortLow(keys []uint64, low int) []uint64 {
	buffer := slices.Grow(s.keys[:0], len(keys))[:len(keys)]
	s.keys = buffer
	for shift := 0; shift < low; shift += digitBits {
		s.pass(keys, nil, uint(shift))
		keys, s.keys = s.keys, keys
	}
	s.keys = buffer
	return keys
}

// pass puts keys and numbers into the buffers, sorted by the digit at shift.
func (s *Sorter) pass(keys []uint64, numbers []uint32, shift uint) {
	const mask = 1<<digitBits - 1
	var next [1 << digitBits]int
	for _, k := range keys {
		next[k>>shift&mask]++
	}
	sum := 0
	for d, n := range next {
		next[d] = sum
		sum += n
	}
	for i, k := range keys {
		digit := k >> shift & mask
		at := next[digit]
		next[digit]++
		s.keys[at] = k
		if len(numbers) > 0 {
			s.numbers[at] = numbers[i]
		}
	}
}
