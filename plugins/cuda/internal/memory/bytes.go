package memory

import (
	"unsafe"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Aligned is the room for so many bytes where something follows that wants to be aligned.
func Aligned(bytes uint64) uint64 { return (bytes + 63) / 64 * 64 }

// Bytes is the memory of values.
func Bytes[T uint32 | int32 | uint64 | float64](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T))))
}

// BytesOf is the memory of what is copied as it lies.
func BytesOf[T any](value *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(value)), unsafe.Sizeof(*value))
}

// AddressOf is where memory is, for the card as for the host.
func AddressOf(memory []byte) driver.Pointer {
	return driver.Pointer(uintptr(unsafe.Pointer(unsafe.SliceData(memory))))
}
