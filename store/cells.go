package store

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
)

// shape is how the values of an Arrow type lie in memory, and so how we spell a value
// as bytes: a fixed-width one as it is (a boolean as one byte), a text as its length
// and its bytes, a list as its length, a null mark before each element, and these.
type shape struct {
	width   int            // bytes of a fixed-width value; 0: variable
	boolean bool           // packed in bits
	offsets int            // bytes of an offset: 4 or 8
	element arrow.DataType // of a list
	length  int            // of a fixed-size list; -1: any
}

func shapeOf(t arrow.DataType) shape {
	switch t := t.(type) {
	case *arrow.BooleanType:
		return shape{width: 1, boolean: true}
	case *arrow.ListType:
		return shape{offsets: 4, element: t.Elem(), length: -1}
	case *arrow.FixedSizeListType:
		return shape{element: t.Elem(), length: int(t.Len())}
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return shape{offsets: 8}
	case arrow.FixedWidthDataType:
		return shape{width: t.BitWidth() / 8}
	}
	return shape{offsets: 4}
}

// spellable is false for types that have no such spelling: structs, maps, unions.
func spellable(t arrow.DataType) bool {
	switch t := t.(type) {
	case *arrow.ListType:
		return spellable(t.Elem())
	case *arrow.FixedSizeListType:
		return spellable(t.Elem())
	case arrow.NestedType:
		return false
	case arrow.BinaryDataType:
		return true
	case arrow.FixedWidthDataType:
		return t.BitWidth()%8 == 0 && t.BitWidth() > 0 || t.ID() == arrow.BOOL
	}
	return false
}

func (s shape) fixed() bool { return s.width > 0 }

// cells reads the values of an array as bytes.
type cells struct {
	shape
	valid    []byte // bits; nil: no value is null
	values   []byte // fixed-width values, bits or text
	starts   []byte // offsets
	first    int    // the array's own offset into these
	elements *cells // of a list
}

// newCells reads data, which must outlive it.
func newCells(data arrow.ArrayData) *cells {
	buffers := data.Buffers()
	c := &cells{shape: shapeOf(data.DataType()), valid: bytesOf(buffers[0]), first: data.Offset()}
	switch {
	case c.fixed():
		c.values = bytesOf(buffers[1])
	case c.element != nil:
		c.elements = newCells(data.Children()[0])
	default:
		c.values = bytesOf(buffers[2])
	}
	if c.offsets != 0 {
		c.starts = bytesOf(buffers[1])
	}
	return c
}

func (c *cells) null(i int) bool { return c.valid != nil && bitutil.BitIsNotSet(c.valid, c.first+i) }

// append spells value i, which is not null, at the end of dst.
func (c *cells) append(dst []byte, i int) []byte {
	i += c.first
	switch {
	case c.boolean:
		if bitutil.BitIsSet(c.values, i) {
			return append(dst, 1)
		}
		return append(dst, 0)
	case c.fixed():
		return append(dst, c.values[i*c.width:(i+1)*c.width]...)
	}
	from, to := c.span(i)
	dst = binary.AppendUvarint(dst, uint64(to-from))
	if c.element == nil {
		return append(dst, c.values[from:to]...)
	}
	return c.appendElements(dst, from, to)
}

// span is where a text or list begins and ends.
func (c *cells) span(i int) (from, to int) {
	switch c.offsets {
	case 4:
		return int(binary.LittleEndian.Uint32(c.starts[4*i:])), int(binary.LittleEndian.Uint32(c.starts[4*i+4:]))
	case 8:
		return int(binary.LittleEndian.Uint64(c.starts[8*i:])), int(binary.LittleEndian.Uint64(c.starts[8*i+8:]))
	}
	return i * c.length, (i + 1) * c.length
}

func (c *cells) appendElements(dst []byte, from, to int) []byte {
	for j := from; j < to; j++ {
		if c.elements.null(j) {
			dst = append(dst, 0)
		} else {
			dst = c.elements.append(append(dst, 1), j)
		}
	}
	return dst
}
