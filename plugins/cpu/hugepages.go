package cpu

import "unsafe"

// hugePage is the size of a large page of memory.
const hugePage = 2 << 20

// hugeSlack is what onHugePages takes beside so many bytes of values.
func hugeSlack(bytes uint64) uint64 {
	if bytes < hugePage {
		return 0
	}
	return hugePage
}

// onHugePages is n zeros that begin with a huge page and lie on huge pages as far as they
// fill them, where the system has any: who reads at random then finds more in the TLB.
func onHugePages[T message](n int) []T {
	size := int(unsafe.Sizeof(*new(T)))
	if hugeSlack(uint64(size*n)) == 0 {
		return make([]T, n)
	}
	room := make([]T, n+hugePage/size)
	skip := int(-uintptr(unsafe.Pointer(&room[0])) % hugePage / uintptr(size))
	values := room[skip : skip+n]
	adviseHuge(unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), size*n/hugePage*hugePage))
	return values
}
