package residency

import (
	"fmt"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/selection"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Chunk is a chunk on the card: its lists and columns as they are encoded, but for the header, then what kernels
// know of it, then columns that had to be converted.
type Chunk struct {
	kernels.Resident

	meta        chunk.Meta
	view        *chunk.Chunk // until it is checked; then nil
	body        []byte       // of the view's memory, what is copied
	skipped     uint64       // of it, before body
	conversions []conversion
	bytes       uint64 // of the card's memory, charged to the budget
	memory      driver.Pointer
	selection   *selection.Selection // of rows, on their way; nil: all
	ready       *driver.Event        // when it is there and checked; nil: it is
}

// conversion is an edge column that is no float64, or has nulls.
type conversion struct {
	column             int
	kind               kernels.Numeric
	values, nulls      []byte
	from, to, validity driver.Pointer
}

// open opens the chunk that an Upload brings. That its structure is sound is checked here; what the lists hold
// is for the card.
func open(job plugins.Job, c plugins.Command, wanted []chunk.Direction, names []string) (*Chunk, error) {
	opened, err := kit.OpenChunk(job, c, wanted, names)
	if err != nil {
		return nil, err
	}
	view := opened.Chunk
	r := &Chunk{view: view, meta: view.Meta()}
	r.Direction, r.Rows, r.Edges = r.meta.Direction, uint64(view.Rows()), uint64(view.Edges())
	r.Interval, r.RowsBase, r.ColsBase = r.meta.Rows, r.meta.Rows.Base, r.meta.Cols.Base
	buf, err := job.Chunk(c)
	if err == nil {
		err = r.measure(buf, names)
	}
	if err != nil {
		view.Release()
		return nil, err
	}
	return r, nil
}

// measure finds what is to be copied of buf, and what it takes on the card.
func (r *Chunk) measure(buf []byte, names []string) error {
	parts := [][]byte{memory.Bytes(r.view.Vertices()), memory.Bytes(r.view.Offsets()), memory.Bytes(r.view.Neighbors())}
	for i, name := range names {
		values, nulls, err := r.column(i, name)
		if err != nil {
			return err
		}
		parts = append(parts, values, nulls)
	}
	start := uintptr(unsafe.Pointer(unsafe.SliceData(buf)))
	from, to := uintptr(len(buf)), uintptr(0)
	for _, part := range parts {
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(part))) - start; len(part) > 0 {
			from, to = min(from, at), max(to, at+uintptr(len(part)))
		}
	}
	r.body, r.skipped = buf[min(from, to):to], uint64(min(from, to))
	r.bytes = memory.Aligned(uint64(len(r.body))) + memory.Aligned(stream.HeadBytes) +
		uint64(len(r.conversions))*memory.Aligned(8*r.Edges)
	return nil
}

// column is the memory of an edge column, and of its validity bitmap if it has nulls.
func (r *Chunk) column(i int, name string) (values, nulls []byte, err error) {
	column, _ := r.view.Column(name)
	kind, ok := kernels.NumericOf(column.DataType())
	if !ok {
		return nil, nil, fmt.Errorf("edge column %q is a %s, not a number", name, column.DataType())
	}
	values = valuesOf(column)
	if buffers := column.Data().Buffers(); column.NullN() > 0 && buffers[0] != nil {
		nulls = buffers[0].Bytes()
	}
	if len(nulls) > 0 || column.DataType().ID() != arrow.FLOAT64 {
		r.conversions = append(r.conversions, conversion{column: i, kind: kind, values: values, nulls: nulls})
	}
	return values, nulls, nil
}

// valuesOf is the memory of the values of an array of numbers without nulls.
func valuesOf(values arrow.Array) []byte {
	buffer := values.Data().Buffers()[1]
	if values.Len() == 0 || buffer == nil {
		return nil
	}
	width := values.DataType().(arrow.FixedWidthDataType).BitWidth() / 8
	return buffer.Bytes()[values.Data().Offset()*width:][:values.Len()*width]
}

// Await has a stream wait until the chunk is there.
func (r *Chunk) Await(s driver.Stream) error {
	if r.ready == nil {
		return nil
	}
	return s.Wait(*r.ready)
}

// leaveArena forgets the memory that the chunk was copied from.
func (r *Chunk) leaveArena() {
	if r.view != nil {
		r.view.Release()
	}
	r.view, r.body = nil, nil
	r.conversions = nil
}
