package cpu

import "unsafe"

// hugePage is the size of a large page of memory.
const hugePage = 2 << 20

// hugeSlack is what onHugePages takes beside the values, in bytes.
func hugeSlack(n int) uint64 {
	if 8*n < hugePage {
		return 0
	}
	return hugePage
}

// onHugePages is n zeros that begin with a huge page and lie on huge pages as far as they
// fill them, where the system has any: who reads at random then finds more in the TLB.
func onHugePages[T number](n int) []T {
	if hugeSlack(n) == 0 {
		return make([]T, n)
	}
	room := make([]T, n+hugePage/8)
	skip := int(-uintptr(unsafe.Pointer(&room[0])) % hugePage / 8)
	values := room[skip : skip+n]
	adviseHuge(unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), 8*n/hugePage*hugePage))
	return values
}
