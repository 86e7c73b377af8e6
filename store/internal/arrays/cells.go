package arrays

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
)

// Shape is how the values of an Arrow type lie in memory, and so how we spell a value
// as bytes: a fixed-width one as it is (a boolean as one byte), a text as its length
// and its bytes, a list as its length, a null mark before each element, and these.
type Shape struct {
	Width   int            // bytes of a fixed-width value; 0: variable
	boolean bool           // packed in bits
	offsets int            // bytes of an offset: 4 or 8
	Element arrow.DataType // of a list
	length  int            // of a fixed-size list; -1: any
}

func ShapeOf(t arrow.DataType) Shape {
	switch t := t.(type) {
	case *arrow.BooleanType:
		return Shape{Width: 1, boolean: true}
	case *arrow.ListType:
		return Shape{offsets: 4, Element: t.Elem(), length: -1}
	case *arrow.FixedSizeListType:
		return Shape{Element: t.Elem(), length: int(t.Len())}
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return Shape{offsets: 8}
	case arrow.FixedWidthDataType:
		return Shape{Width: t.BitWidth() / 8}
	}
	return Shape{offsets: 4}
}

// Spellable is false for types that have no such spelling: structs, maps, unions.
func Spellable(t arrow.DataType) bool {
	switch t := t.(type) {
	case *arrow.ListType:
		return Spellable(t.Elem())
	case *arrow.FixedSizeListType:
		return Spellable(t.Elem())
	case arrow.NestedType:
		return false
	case arrow.BinaryDataType:
		return true
	case arrow.FixedWidthDataType:
		return t.BitWidth()%8 == 0 && t.BitWidth() > 0 || t.ID() == arrow.BOOL
	}
	return false
}

func (s Shape) Fixed() bool { return s.Width > 0 }

// Cells reads the values of an array as bytes.
type Cells struct {
	Shape
	valid    []byte // bits; nil: no value is null
	Values   []byte // fixed-width values, bits or text
	starts   []byte // offsets
	First    int    // the array's own offset into these
	elements *Cells // of a list
}

// NewCells reads data, which must outlive it.
func NewCells(data arrow.ArrayData) *Cells {
	buffers := data.Buffers()
	c := &Cells{Shape: ShapeOf(data.DataType()), valid: bytesOf(buffers[0]), First: data.Offset()}
	switch {
	case c.Fixed():
		c.Values = bytesOf(buffers[1])
	case c.Element != nil:
		c.elements = NewCells(data.Children()[0])
	default:
		c.Values = bytesOf(buffers[2])
	}
	if c.offsets != 0 {
		c.starts = bytesOf(buffers[1])
	}
	return c
}

func (c *Cells) Null(i int) bool { return c.valid != nil && bitutil.BitIsNotSet(c.valid, c.First+i) }

// Append spells value i, which is not null, at the end of dst.
func (c *Cells) Append(dst []byte, i int) []byte {
	i += c.First
	switch {
	case c.boolean:
		if bitutil.BitIsSet(c.Values, i) {
			return append(dst, 1)
		}
		return append(dst, 0)
	case c.Fixed():
		return append(dst, c.Values[i*c.Width:(i+1)*c.Width]...)
	}
	from, to := c.span(i)
	dst = binary.AppendUvarint(dst, uint64(to-from))
	if c.Element == nil {
		return append(dst, c.Values[from:to]...)
	}
	return c.appendElements(dst, from, to)
}

// span is where a text or list begins and ends.
func (c *Cells) span(i int) (from, to int) {
	switch c.offsets {
	case 4:
		return int(binary.LittleEndian.Uint32(c.starts[4*i:])), int(binary.LittleEndian.Uint32(c.starts[4*i+4:]))
	case 8:
		return int(binary.LittleEndian.Uint64(c.starts[8*i:])), int(binary.LittleEndian.Uint64(c.starts[8*i+8:]))
	}
	return i * c.length, (i + 1) * c.length
}

func (c *Cells) appendElements(dst []byte, from, to int) []byte {
	for j := from; j < to; j++ {
		if c.elements.Null(j) {
			dst = append(dst, 0)
		} else {
			dst = c.elements.Append(append(dst, 1), j)
		}
	}
	return dst
}
