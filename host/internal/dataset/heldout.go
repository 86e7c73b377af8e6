package dataset

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
)

// HeldOut are the pairs whose edges pass no messages: those for validation and test. It takes 8 bytes for each.
type HeldOut struct {
	keys     []uint64 // sorted
	directed bool
}

// HeldOut are those of examples of a graph.
func (e *Examples) HeldOut(directed bool) *HeldOut {
	h := &HeldOut{directed: directed}
	for i, p := range e.Parts {
		if p == Validation || p == Test {
			h.keys = append(h.keys, e.Pairs[i].key())
		}
	}
	h.keys = slices.Compact(h.keys)
	return h
}

// Has says whether the edges from a vertex to another are held out.
func (h *HeldOut) Has(source, target uint32) bool {
	_, found := slices.BinarySearch(h.keys, PairOf(source, target, h.directed).key())
	return found
}

// has says it of an edge in the list of v, in a chunk of some direction.
func (h *HeldOut) has(m chunk.Meta, v, local uint32) bool {
	other := uint32(m.Cols.Base) + local
	if m.Direction == chunk.In {
		return h.Has(other, v)
	}
	return h.Has(v, other)
}

// Kept is how many edges of a list pass messages.
func (h *HeldOut) Kept(m chunk.Meta, v uint32, list []uint32) (count int) {
	for _, local := range list {
		if !h.has(m, v, local) {
			count++
		}
	}
	return count
}

// Cut is a chunk without the edges that are held out. The caller releases it.
func (h *HeldOut) Cut(c *chunk.Chunk) (*chunk.Chunk, error) {
	offsets := make([]int32, 1, len(c.Offsets()))
	neighbors, kept := make([]uint32, 0, c.Edges()), make([]int, 0, c.Edges())
	at := 0
	for v, list := range c.Lists() {
		for _, local := range list {
			if !h.has(c.Meta(), uint32(v), local) {
				neighbors, kept = append(neighbors, local), append(kept, at)
			}
			at++
		}
		offsets = append(offsets, int32(len(neighbors)))
	}
	var columns []chunk.EdgeColumn
	defer func() {
		for _, each := range columns {
			each.Values.Release()
		}
	}()
	for _, field := range c.Columns() {
		values, _ := c.Column(field.Name)
		some, err := pick(values, kept)
		if err != nil {
			return nil, fmt.Errorf("edge property %q: %w", field.Name, err)
		}
		columns = append(columns, chunk.EdgeColumn{Name: field.Name, Values: some})
	}
	return chunk.FromCSR(memory.DefaultAllocator, c.Meta(), c.Vertices(), offsets, neighbors, columns)
}

// pick takes some of the numbers of a column without nulls.
func pick(values arrow.Array, some []int) (arrow.Array, error) {
	fixed, ok := values.DataType().(arrow.FixedWidthDataType)
	if !ok || fixed.BitWidth()%8 != 0 || values.NullN() > 0 {
		return nil, fmt.Errorf("%v cannot be cut", values.DataType())
	}
	width, from := fixed.BitWidth()/8, values.Data().Offset()
	all := values.Data().Buffers()[1].Bytes()
	bytes := make([]byte, len(some)*width)
	for i, k := range some {
		copy(bytes[i*width:(i+1)*width], all[(from+k)*width:])
	}
	data := array.NewData(values.DataType(), len(some), []*memory.Buffer{nil, memory.NewBufferBytes(bytes)}, nil, 0, 0)
	defer data.Release()
	return array.MakeFromData(data), nil
}
