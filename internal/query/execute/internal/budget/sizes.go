package budget

import (
	"unsafe"

	"github.com/penstock-db/penstock/formats/value"
)

const (
	ValueBytes = 24 // of a Value itself
	EntryBytes = 40 // of an entry of a map
)

// Sizes is about how many bytes values take that are kept.
func Sizes(values []value.Value) int64 {
	sum := int64(0)
	for _, v := range values {
		sum += v.Size()
	}
	return sum
}

// Contents is what values take beside the slots that they lie in.
func Contents(values []value.Value) int64 { return Sizes(values) - ValueBytes*int64(len(values)) }

// ArrayBytes is what an array of so many elements takes.
func ArrayBytes[T any](elements int) int64 {
	return int64(elements) * int64(unsafe.Sizeof(*new(T)))
}
