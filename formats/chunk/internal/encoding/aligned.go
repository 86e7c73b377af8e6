package encoding

import "unsafe"

// Alignment of every body buffer, and of a chunk itself, in bytes: a cache line, and the widest vector register.
const Alignment = 64

// Align is n up to the next multiple of Alignment.
func Align(n int) int { return (n + Alignment - 1) &^ (Alignment - 1) }

// Aligned is a fresh, zeroed buffer of n bytes that starts at a multiple of 64.
func Aligned(n int) []byte {
	b := make([]byte, n+Alignment-1)
	skip := (Alignment - Misaligned(b)) % Alignment
	return b[skip : skip+n : skip+n]
}

// Misaligned is how far b starts after a multiple of 64 bytes.
func Misaligned(b []byte) int {
	return int(uintptr(unsafe.Pointer(unsafe.SliceData(b))) % Alignment)
}

// number is what the topology consists of.
type number interface{ ~uint32 | ~int32 | ~int64 }

// AsBytes is the memory of s.
func AsBytes[T number](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// AsNumbers is the memory of b as numbers, never nil. b starts at a multiple of 64, or, of
// OpenUnaligned, anywhere: then only single numbers are looked at.
func AsNumbers[T number](b []byte) []T {
	var zero T
	if len(b) == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
