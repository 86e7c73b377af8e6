package chunk

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
)

// shape is what an Arrow type is stored as, after its validity bitmap.
type shape struct {
	offset int           // bytes of an offset into what follows; 0: no offsets
	fan    int           // without offsets: how many of what follows belong to a row
	bits   int           // of a value in the values buffer; 0: no such buffer
	fields []arrow.Field // of the children
}

func shapeOf(t arrow.DataType) shape {
	switch t := t.(type) {
	case *arrow.StructType:
		return shape{fan: 1, fields: t.Fields()}
	case *arrow.ListType:
		return shape{offset: 4, fields: t.Fields()}
	case *arrow.FixedSizeListType:
		return shape{fan: int(t.Len()), fields: t.Fields()}
	case *arrow.StringType, *arrow.BinaryType:
		return shape{offset: 4, bits: 8}
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return shape{offset: 8, bits: 8}
	}
	return shape{fan: 1, bits: t.(arrow.FixedWidthDataType).BitWidth()}
}

// values is which of an array's buffers holds the values.
func (s shape) values() int {
	if s.offset > 0 {
		return 2
	}
	return 1
}

// lastOffset is the end of the last of n rows; a missing buffer means no rows.
func (s shape) lastOffset(offsets []byte, n int) int {
	switch {
	case s.offset == 0:
		return n * s.fan
	case len(offsets) < (n+1)*s.offset:
		return 0
	case s.offset == 4:
		return int(int32(binary.LittleEndian.Uint32(offsets[4*n:])))
	}
	return int(binary.LittleEndian.Uint64(offsets[8*n:]))
}

// node is what a record batch message says of one array.
type node struct{ length, nulls int }

// block is one buffer of the body: its name for errors and exactly its bytes.
type block struct {
	part  string
	bytes []byte
}

// batch is a record batch message: its arrays, and the lengths of their buffers in bytes.
type batch struct {
	nodes []node
	sizes []int
}

// size is the length of the body in bytes, every buffer padded to 64.
func (b batch) size() int {
	var size int
	for _, n := range b.sizes {
		size += align(n)
	}
	return size
}

// layout is a record in the order of Arrow's record batch message: depth first.
type layout struct {
	nodes  []node
	blocks []block
}

func layoutOf(record arrow.Record) layout {
	var l layout
	for i, column := range record.Columns() {
		l.add(record.ColumnName(i), column.Data())
	}
	return l
}

// add appends d, whose memory must be whole.
func (l *layout) add(part string, d arrow.ArrayData) {
	s, n, nulls := shapeOf(d.DataType()), d.Len(), nullCount(d)
	l.nodes = append(l.nodes, node{n, nulls})
	l.bitmap(part, d, nulls)
	last := s.lastOffset(bufferBytes(d, 1), n)
	if s.offset > 0 {
		l.offsets(part, bufferBytes(d, 1), (n+1)*s.offset)
	}
	if s.bits > 0 {
		values := bufferBytes(d, s.values())
		l.blocks = append(l.blocks, block{part, values[:bytesOf(last, s.bits)]})
	}
	for i, child := range d.Children() {
		l.add(part+"."+s.fields[i].Name, child)
	}
}

func (l *layout) bitmap(part string, d arrow.ArrayData, nulls int) {
	var bitmap []byte
	if nulls > 0 {
		bitmap = bufferBytes(d, 0)[:bytesOf(d.Len(), 1)]
	}
	l.blocks = append(l.blocks, block{part + " validity", bitmap})
}

// offsets appends the offsets buffer; an empty array may lack its only entry, zero.
func (l *layout) offsets(part string, offsets []byte, length int) {
	if len(offsets) < length {
		offsets = make([]byte, length)
	}
	l.blocks = append(l.blocks, block{part + " offsets", offsets[:length]})
}

// batch is what the record batch message says of the layout.
func (l layout) batch() batch {
	b := batch{nodes: l.nodes}
	for _, block := range l.blocks {
		b.sizes = append(b.sizes, len(block.bytes))
	}
	return b
}

// whole is true when d's buffers and children start with its first value and the
// children end with its last.
func whole(d arrow.ArrayData) bool {
	s := shapeOf(d.DataType())
	offsets := bufferBytes(d, 1)
	if d.Offset() != 0 || s.offset > 0 && len(offsets) > 0 && s.lastOffset(offsets, 0) != 0 {
		return false
	}
	for _, child := range d.Children() {
		if child.Len() != s.lastOffset(offsets, d.Len()) || !whole(child) {
			return false
		}
	}
	return true
}

func nullCount(d arrow.ArrayData) int {
	bitmap := bufferBytes(d, 0)
	if d.NullN() >= 0 || len(bitmap) == 0 {
		return max(d.NullN(), 0)
	}
	return d.Len() - bitutil.CountSetBits(bitmap, d.Offset(), d.Len())
}

// bufferBytes is buffer i of d; nil when it is absent.
func bufferBytes(d arrow.ArrayData, i int) []byte {
	if i >= len(d.Buffers()) || d.Buffers()[i] == nil {
		return nil
	}
	return d.Buffers()[i].Bytes()
}

// bytesOf is how many bytes n values of so many bits take.
func bytesOf(n, bits int) int { return (n*bits + 7) / 8 }
