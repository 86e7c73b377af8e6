package encoding

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v15/arrow"
)

// Shape is what an Arrow type is stored as, after its validity bitmap.
type Shape struct {
	Offset int           // bytes of an offset into what follows; 0: no offsets
	fan    int           // without offsets: how many of what follows belong to a row
	bits   int           // of a value in the values buffer; 0: no such buffer
	Fields []arrow.Field // of the children
}

// ShapeOf is how a type is stored.
func ShapeOf(t arrow.DataType) Shape {
	switch t := t.(type) {
	case *arrow.StructType:
		return Shape{fan: 1, Fields: t.Fields()}
	case *arrow.ListType:
		return Shape{Offset: 4, Fields: t.Fields()}
	case *arrow.FixedSizeListType:
		return Shape{fan: int(t.Len()), Fields: t.Fields()}
	case *arrow.StringType, *arrow.BinaryType:
		return Shape{Offset: 4, bits: 8}
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return Shape{Offset: 8, bits: 8}
	}
	return Shape{fan: 1, bits: t.(arrow.FixedWidthDataType).BitWidth()}
}

// values is which of an array's buffers holds the values.
func (s Shape) values() int {
	if s.Offset > 0 {
		return 2
	}
	return 1
}

// LastOffset is the end of the last of n rows; a missing buffer means no rows.
func (s Shape) LastOffset(offsets []byte, n int) int {
	switch {
	case s.Offset == 0:
		return n * s.fan
	case len(offsets) < (n+1)*s.Offset:
		return 0
	case s.Offset == 4:
		return int(int32(binary.LittleEndian.Uint32(offsets[4*n:])))
	}
	return int(binary.LittleEndian.Uint64(offsets[8*n:]))
}

// Whole is true when d's buffers and children start with its first value and the
// children end with its last.
func Whole(d arrow.ArrayData) bool {
	s := ShapeOf(d.DataType())
	offsets := BufferBytes(d, 1)
	if d.Offset() != 0 || s.Offset > 0 && len(offsets) > 0 && s.LastOffset(offsets, 0) != 0 {
		return false
	}
	for _, child := range d.Children() {
		if child.Len() != s.LastOffset(offsets, d.Len()) || !Whole(child) {
			return false
		}
	}
	return true
}

// BufferBytes is buffer i of d; nil when it is absent.
func BufferBytes(d arrow.ArrayData, i int) []byte {
	if i >= len(d.Buffers()) || d.Buffers()[i] == nil {
		return nil
	}
	return d.Buffers()[i].Bytes()
}

// bytesOf is how many bytes n values of so many bits take.
func bytesOf(n, bits int) int { return (n*bits + 7) / 8 }
