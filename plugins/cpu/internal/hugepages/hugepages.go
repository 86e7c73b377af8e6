package hugepages

import "unsafe"

// pageSize is the size of a large page of memory.
const pageSize = 2 << 20

// Slack is what onHugePages takes beside so many bytes of values.
func Slack(bytes uint64) uint64 {
	if bytes < pageSize {
		return 0
	}
	return pageSize
}

// Make is n zeros that begin with a huge page and lie on huge pages as far as they
// fill them, where the system has any: who reads at random then finds more in the TLB.
func Make[T any](n int) []T {
	size := int(unsafe.Sizeof(*new(T)))
	if Slack(uint64(size*n)) == 0 {
		return make([]T, n)
	}
	room := make([]T, n+pageSize/size)
	skip := int(-uintptr(unsafe.Pointer(&room[0])) % pageSize / uintptr(size))
	values := room[skip : skip+n]
	advise(unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), size*n/pageSize*pageSize))
	return values
}
