package arrays

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// CellBuilder makes an array of values that cells has spelled as bytes. Its memory
// is Go's own.
type CellBuilder struct {
	Shape
	typ      arrow.DataType
	rows     int
	nulls    int
	valid    []byte // bits
	values   []byte
	starts   []byte
	elements *CellBuilder
}

// NewCellBuilder has room for as many rows of fixed width.
func NewCellBuilder(t arrow.DataType, rows int) *CellBuilder {
	b := &CellBuilder{Shape: ShapeOf(t), typ: t, valid: make([]byte, 0, (rows+7)/8)}
	if b.Fixed() {
		b.values = make([]byte, 0, rows*b.Width)
	}
	if b.Element != nil {
		b.elements = NewCellBuilder(b.Element, 0)
	}
	if b.offsets != 0 {
		b.start(0)
	}
	return b
}

// Append adds the value that src begins with and returns what follows it.
func (b *CellBuilder) Append(src []byte) []byte {
	b.mark(true)
	switch {
	case b.boolean:
		b.bit(src[0] != 0)
		return src[1:]
	case b.Fixed():
		b.values = append(b.values, src[:b.Width]...)
		return src[b.Width:]
	}
	n, size := binary.Uvarint(src)
	src = src[size:]
	if b.Element == nil {
		b.values = append(b.values, src[:n]...)
		b.start(len(b.values))
		return src[n:]
	}
	for range n {
		if src[0] == 0 {
			b.elements.AppendNull()
			src = src[1:]
		} else {
			src = b.elements.Append(src[1:])
		}
	}
	if b.offsets != 0 {
		b.start(b.elements.rows)
	}
	return src
}

func (b *CellBuilder) AppendNull() {
	b.mark(false)
	switch {
	case b.boolean:
		b.bit(false)
	case b.Fixed():
		b.values = append(b.values, make([]byte, b.Width)...)
	case b.offsets != 0 && b.Element != nil:
		b.start(b.elements.rows)
	case b.offsets != 0:
		b.start(len(b.values))
	default:
		for range b.length {
			b.elements.AppendNull()
		}
	}
}

// mark counts a row, valid or null.
func (b *CellBuilder) mark(valid bool) {
	if b.rows%8 == 0 {
		b.valid = append(b.valid, 0)
	}
	if valid {
		bitutil.SetBit(b.valid, b.rows)
	} else {
		b.nulls++
	}
	b.rows++
}

// bit sets the boolean of the row just marked.
func (b *CellBuilder) bit(set bool) {
	if b.rows%8 == 1 {
		b.values = append(b.values, 0)
	}
	if set {
		bitutil.SetBit(b.values, b.rows-1)
	}
}

func (b *CellBuilder) start(at int) {
	if b.offsets == 4 {
		b.starts = binary.LittleEndian.AppendUint32(b.starts, uint32(at))
	} else {
		b.starts = binary.LittleEndian.AppendUint64(b.starts, uint64(at))
	}
}

// Array is what has been appended; the builder must not be used afterwards.
func (b *CellBuilder) Array() arrow.Array {
	data := b.data()
	defer data.Release()
	return array.MakeFromData(data)
}

func (b *CellBuilder) data() arrow.ArrayData {
	buffers := []*memory.Buffer{nil}
	if b.nulls > 0 {
		buffers[0] = memory.NewBufferBytes(b.valid)
	}
	if b.offsets != 0 {
		buffers = append(buffers, memory.NewBufferBytes(b.starts))
	}
	if b.Element == nil {
		buffers = append(buffers, memory.NewBufferBytes(b.values))
		return array.NewData(b.typ, b.rows, buffers, nil, b.nulls, 0)
	}
	elements := b.elements.data()
	defer elements.Release()
	return array.NewData(b.typ, b.rows, buffers, []arrow.ArrayData{elements}, b.nulls, 0)
}

// bytesOf is a buffer's memory; of a missing buffer it is nil.
func bytesOf(b *memory.Buffer) []byte {
	if b == nil {
		return nil
	}
	return b.Bytes()
}
