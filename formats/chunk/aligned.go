package chunk

import "unsafe"

// Aligned is a fresh, zeroed buffer of n bytes that starts at a multiple of 64.
func Aligned(n int) []byte {
	b := make([]byte, n+alignment-1)
	skip := (alignment - misaligned(b)) % alignment
	return b[skip : skip+n : skip+n]
}

// misaligned is how far b starts after a multiple of 64 bytes.
func misaligned(b []byte) int {
	return int(uintptr(unsafe.Pointer(unsafe.SliceData(b))) % alignment)
}

// number is what the topology consists of.
type number interface{ ~uint32 | ~int32 | ~int64 }

// asBytes is the memory of s.
func asBytes[T number](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// asNumbers is the memory of b as numbers, never nil. b starts at a multiple of 64, or, of
// OpenUnaligned, anywhere: then only single numbers are looked at.
func asNumbers[T number](b []byte) []T {
	var zero T
	if len(b) == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
