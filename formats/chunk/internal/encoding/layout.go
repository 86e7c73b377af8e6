package encoding

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
)

// Node is what a record batch message says of one array.
type Node struct{ Length, Nulls int }

// Block is one buffer of the body: its name for errors and exactly its bytes.
type Block struct {
	Part  string
	Bytes []byte
}

// Batch is a record batch message: its arrays, and the lengths of their buffers in bytes.
type Batch struct {
	Nodes []Node
	Sizes []int
}

// Size is the length of the body in bytes, every buffer padded to 64.
func (b Batch) Size() int {
	var size int
	for _, n := range b.Sizes {
		size += Align(n)
	}
	return size
}

// Layout is a record in the order of Arrow's record batch message: depth first.
type Layout struct {
	nodes  []Node
	Blocks []Block
}

// LayoutOf is the layout of a chunk's record.
func LayoutOf(record arrow.Record) Layout {
	var l Layout
	for i, column := range record.Columns() {
		l.add(record.ColumnName(i), column.Data())
	}
	return l
}

// add appends d, whose memory must be whole.
func (l *Layout) add(part string, d arrow.ArrayData) {
	s, n, nulls := ShapeOf(d.DataType()), d.Len(), nullCount(d)
	l.nodes = append(l.nodes, Node{n, nulls})
	l.bitmap(part, d, nulls)
	last := s.LastOffset(BufferBytes(d, 1), n)
	if s.Offset > 0 {
		l.offsets(part, BufferBytes(d, 1), (n+1)*s.Offset)
	}
	if s.bits > 0 {
		values := BufferBytes(d, s.values())
		l.Blocks = append(l.Blocks, Block{part, values[:bytesOf(last, s.bits)]})
	}
	for i, child := range d.Children() {
		l.add(part+"."+s.Fields[i].Name, child)
	}
}

func (l *Layout) bitmap(part string, d arrow.ArrayData, nulls int) {
	var bitmap []byte
	if nulls > 0 {
		bitmap = BufferBytes(d, 0)[:bytesOf(d.Len(), 1)]
	}
	l.Blocks = append(l.Blocks, Block{part + " validity", bitmap})
}

// offsets appends the offsets buffer; an empty array may lack its only entry, zero.
func (l *Layout) offsets(part string, offsets []byte, length int) {
	if len(offsets) < length {
		offsets = make([]byte, length)
	}
	l.Blocks = append(l.Blocks, Block{part + " offsets", offsets[:length]})
}

// Batch is what the record batch message says of the layout.
func (l Layout) Batch() Batch {
	b := Batch{Nodes: l.nodes}
	for _, block := range l.Blocks {
		b.Sizes = append(b.Sizes, len(block.Bytes))
	}
	return b
}

func nullCount(d arrow.ArrayData) int {
	bitmap := BufferBytes(d, 0)
	if d.NullN() >= 0 || len(bitmap) == 0 {
		return max(d.NullN(), 0)
	}
	return d.Len() - bitutil.CountSetBits(bitmap, d.Offset(), d.Len())
}
