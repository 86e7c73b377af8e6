package arrays

import (
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Wrap is values as an Arrow array of type t, whose values must be as wide as T. It
// copies nothing: values must not change while the array lives.
func Wrap[T int64 | uint32](t arrow.DataType, values []T) arrow.Array {
	data := array.NewData(t, len(values), []*memory.Buffer{nil, memory.NewBufferBytes(asBytes(values))}, nil, 0, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// asBytes is the memory of values.
func asBytes[T int64 | uint32 | int32](values []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(zero)))
}
