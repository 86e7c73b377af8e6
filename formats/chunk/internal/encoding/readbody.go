package encoding

import (
	"math/bits"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Body hands out the buffers of a record batch in order. Where the message is
// not as layout would have written it, err is set and everything read afterwards is empty.
type Body struct {
	header *Header
	body   []byte
	nodes  [][2]int64 // length and null count of the arrays to come
	spans  [][2]int64 // offset and length of all buffers
	sums   []uint64   // of all buffers
	next   int        // the buffer to come
	at     int        // where it lies in body
	err    error
}

// OpenBody reads what the record batch message says of the buffers in the body.
func (h *Header) OpenBody() (*Body, error) {
	in, body := &flatbuffer{bytes: h.batch}, h.body
	batch := messageHeader(in, batchTag)
	r := &Body{header: h, body: body, nodes: batch.structs(1), spans: batch.structs(2)}
	if batch.slot(3) >= 0 {
		return nil, Corrupt("header", "the record batch is compressed")
	}
	if in.bad || len(r.nodes) == 0 || batch.integer(0, 8) != r.nodes[0][0] || in.root().integer(3, 8) != int64(len(body)) {
		return nil, Corrupt("header", "not a chunk's record batch")
	}
	var err error
	r.sums, err = allSums(h.Version, r.spans, h.sums)
	return r, err
}

func (r *Body) fail(part, format string, args ...any) {
	if r.err == nil {
		r.err = Corrupt(part, format, args...)
	}
}

// Finish is the first error, or one when something is left over.
func (r *Body) Finish() error {
	if r.err == nil && (len(r.nodes) != 0 || r.next != len(r.spans) || r.at != len(r.body)) {
		r.fail("header", "the record batch has more than its schema names")
	}
	return r.err
}

// Topology is the CSR of so many rows and edges, over the body.
func (r *Body) Topology(rows, edges int) Topology {
	var t Topology
	if r.header.HasVertices {
		t.Vertices = AsNumbers[uint32](r.flat("vertex", rows))
	}
	r.node("edges", rows)
	r.block("edges validity", 0)
	t.Offsets = AsNumbers[int32](r.block("edges offsets", 4*(rows+1)))
	r.node("edges.item", edges)
	r.block("edges.item validity", 0)
	t.Neighbors = AsNumbers[uint32](r.flat("edges.item.neighbor", edges))
	t.Sums = r.sums[:r.next]
	return t
}

// flat is an array of n uint32 without nulls.
func (r *Body) flat(part string, n int) []byte {
	if r.node(part, n) != 0 {
		r.fail(part, "has nulls")
	}
	r.block(part+" validity", 0)
	return r.block(part, 4*n)
}

// Columns are the edge columns, arrays over the body; the caller releases them, even after an error.
func (r *Body) Columns(edges int) []Column {
	columns := make([]Column, 0, len(r.header.Columns))
	for _, field := range r.header.Columns {
		first := r.next
		data := r.array("edges.item."+field.Name, field.Type, edges)
		if r.err != nil {
			return columns
		}
		columns = append(columns, Column{Field: field, Array: array.MakeFromData(data), Sums: r.sums[first:r.next]})
		data.Release()
	}
	return columns
}

// array is the n values of an array and its children.
func (r *Body) array(part string, t arrow.DataType, n int) arrow.ArrayData {
	nulls, s := r.node(part, n), ShapeOf(t)
	buffers := make([]*memory.Buffer, 0, 3)
	if validity := r.block(part+" validity", bytesOf(n, min(nulls, 1))); nulls > 0 {
		buffers = append(buffers, memory.NewBufferBytes(validity))
	} else {
		buffers = append(buffers, nil)
	}
	last := r.extent(part, n, s.fan)
	if s.Offset > 0 {
		offsets := r.block(part+" offsets", (n+1)*s.Offset)
		buffers = append(buffers, memory.NewBufferBytes(offsets))
		last = r.lastOffset(part, s, offsets, n)
	}
	if s.bits > 0 {
		values := r.block(part, (r.extent(part, last, s.bits)+7)/8)
		buffers = append(buffers, memory.NewBufferBytes(values))
	}
	var children []arrow.ArrayData
	for _, field := range s.Fields {
		child := r.array(part+"."+field.Name, field.Type, last)
		defer child.Release()
		children = append(children, child)
	}
	return array.NewData(t, n, buffers, children, nulls, 0)
}

// lastOffset checks the ends of an offsets buffer and is its last entry.
func (r *Body) lastOffset(part string, s Shape, offsets []byte, n int) int {
	first, last := s.LastOffset(offsets, 0), s.LastOffset(offsets, n)
	if first != 0 || last < 0 || last > 8*len(r.body) {
		r.fail(part+" offsets", "start at %d and end at %d", first, last)
		return 0
	}
	return last
}

// extent is n × each, both of which may come from damaged bytes, or 0 if it cannot be true of the body.
func (r *Body) extent(part string, n, each int) int {
	high, product := bits.Mul64(uint64(n), uint64(each))
	if high != 0 || product > 8*uint64(len(r.body)) {
		r.fail(part, "%d × %d bits do not fit a body of %d bytes", n, each, len(r.body))
		return 0
	}
	return int(product)
}

// node takes the next array's length, which must be n, and gives its null count.
func (r *Body) node(part string, n int) int {
	if r.err != nil || len(r.nodes) == 0 || r.nodes[0][0] != int64(n) || uint64(r.nodes[0][1]) > uint64(n) {
		r.fail(part, "is not %d values long", n)
		return 0
	}
	nulls := int(r.nodes[0][1])
	r.nodes = r.nodes[1:]
	return nulls
}

// block takes the next buffer, which must have n bytes, follow the one before and be padded with zeroes.
func (r *Body) block(part string, n int) []byte {
	if r.err != nil || r.next == len(r.spans) || r.spans[r.next] != [2]int64{int64(r.at), int64(n)} ||
		Align(n) > len(r.body)-r.at {
		r.fail(part, "its buffer is not %d bytes at %d", n, r.at)
		return nil
	}
	end := r.at + Align(n)
	for i := r.at + n; i < end; i++ {
		if r.body[i] != 0 {
			r.fail(part, "the padding after it is not zero")
			return nil
		}
	}
	b := r.body[r.at : r.at+n : r.at+n]
	r.next, r.at = r.next+1, end
	return b
}
