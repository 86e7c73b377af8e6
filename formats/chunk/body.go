package chunk

import (
	"math/bits"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// bodyReader hands out the buffers of a record batch in order. Where the message is
// not as layout would have written it, err is set and everything read afterwards is empty.
type bodyReader struct {
	body  []byte
	nodes [][2]int64 // length and null count of the arrays to come
	spans [][2]int64 // offset and length of all buffers
	next  int        // the buffer to come
	at    int        // where it lies in body
	err   error
}

func newBodyReader(message, body []byte) (*bodyReader, error) {
	in := &flatbuffer{bytes: message}
	batch := messageHeader(in, batchTag)
	r := &bodyReader{body: body, nodes: batch.structs(1), spans: batch.structs(2)}
	if batch.slot(3) >= 0 {
		return nil, corrupt("header", "the record batch is compressed")
	}
	if in.bad || len(r.nodes) == 0 || batch.integer(0, 8) != r.nodes[0][0] || in.root().integer(3, 8) != int64(len(body)) {
		return nil, corrupt("header", "not a chunk's record batch")
	}
	return r, nil
}

func (r *bodyReader) fail(part, format string, args ...any) {
	if r.err == nil {
		r.err = corrupt(part, format, args...)
	}
}

// finish is the first error, or one when something is left over.
func (r *bodyReader) finish() error {
	if r.err == nil && (len(r.nodes) != 0 || r.next != len(r.spans) || r.at != len(r.body)) {
		r.fail("header", "the record batch has more than its schema names")
	}
	return r.err
}

func (r *bodyReader) topology(s schemaHeader) topology {
	var t topology
	if s.hasVertices {
		t.vertices = asNumbers[uint32](r.flat("vertex", s.stats.Rows))
	}
	r.node("edges", s.stats.Rows)
	r.block("edges validity", 0)
	t.offsets = asNumbers[int32](r.block("edges offsets", 4*(s.stats.Rows+1)))
	r.node("edges.item", s.stats.Edges)
	r.block("edges.item validity", 0)
	t.neighbors = asNumbers[uint32](r.flat("edges.item.neighbor", s.stats.Edges))
	t.sums = s.sums[:min(r.next, len(s.sums))]
	return t
}

// flat is an array of n uint32 without nulls.
func (r *bodyReader) flat(part string, n int) []byte {
	if r.node(part, n) != 0 {
		r.fail(part, "has nulls")
	}
	r.block(part+" validity", 0)
	return r.block(part, 4*n)
}

// columns are arrays over the body; the caller releases them, even after an error.
func (r *bodyReader) columns(s schemaHeader) []column {
	columns := make([]column, 0, len(s.columns))
	for _, field := range s.columns {
		first := r.next
		data := r.array("edges.item."+field.Name, field.Type, s.stats.Edges)
		if r.err != nil {
			return columns
		}
		columns = append(columns, column{field: field, array: array.MakeFromData(data), sums: s.sums[first:r.next]})
		data.Release()
	}
	return columns
}

// array is the n values of an array and its children.
func (r *bodyReader) array(part string, t arrow.DataType, n int) arrow.ArrayData {
	nulls, s := r.node(part, n), shapeOf(t)
	buffers := make([]*memory.Buffer, 0, 3)
	if validity := r.block(part+" validity", bytesOf(n, min(nulls, 1))); nulls > 0 {
		buffers = append(buffers, memory.NewBufferBytes(validity))
	} else {
		buffers = append(buffers, nil)
	}
	last := r.extent(part, n, s.fan)
	if s.offset > 0 {
		offsets := r.block(part+" offsets", (n+1)*s.offset)
		buffers = append(buffers, memory.NewBufferBytes(offsets))
		last = r.lastOffset(part, s, offsets, n)
	}
	if s.bits > 0 {
		values := r.block(part, (r.extent(part, last, s.bits)+7)/8)
		buffers = append(buffers, memory.NewBufferBytes(values))
	}
	var children []arrow.ArrayData
	for _, field := range s.fields {
		child := r.array(part+"."+field.Name, field.Type, last)
		defer child.Release()
		children = append(children, child)
	}
	return array.NewData(t, n, buffers, children, nulls, 0)
}

// lastOffset checks the ends of an offsets buffer and is its last entry.
func (r *bodyReader) lastOffset(part string, s shape, offsets []byte, n int) int {
	first, last := s.lastOffset(offsets, 0), s.lastOffset(offsets, n)
	if first != 0 || last < 0 || last > 8*len(r.body) {
		r.fail(part+" offsets", "start at %d and end at %d", first, last)
		return 0
	}
	return last
}

// extent is n × each, both of which may come from damaged bytes, or 0 if it cannot be true of the body.
func (r *bodyReader) extent(part string, n, each int) int {
	high, product := bits.Mul64(uint64(n), uint64(each))
	if high != 0 || product > 8*uint64(len(r.body)) {
		r.fail(part, "%d × %d bits do not fit a body of %d bytes", n, each, len(r.body))
		return 0
	}
	return int(product)
}

// node takes the next array's length, which must be n, and gives its null count.
func (r *bodyReader) node(part string, n int) int {
	if r.err != nil || len(r.nodes) == 0 || r.nodes[0][0] != int64(n) || uint64(r.nodes[0][1]) > uint64(n) {
		r.fail(part, "is not %d values long", n)
		return 0
	}
	nulls := int(r.nodes[0][1])
	r.nodes = r.nodes[1:]
	return nulls
}

// block takes the next buffer, which must have n bytes, follow the one before and be padded with zeroes.
func (r *bodyReader) block(part string, n int) []byte {
	if r.err != nil || r.next == len(r.spans) || r.spans[r.next] != [2]int64{int64(r.at), int64(n)} || align(n) > len(r.body)-r.at {
		r.fail(part, "its buffer is not %d bytes at %d", n, r.at)
		return nil
	}
	end := r.at + align(n)
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
