package cuda

import (
	"cmp"
	"errors"
	"fmt"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"slices"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/kit"
)

// resident is a chunk on the card: its lists and columns as they are encoded, but for the header, then what kernels
// know of it, then columns that had to be converted.
type resident struct {
	kernels.Resident
	meta        chunk.Meta
	view        *chunk.Chunk // until it is checked; then nil
	body        []byte       // of the view's memory, what is copied
	skipped     uint64       // of it, before body
	conversions []conversion
	bytes       uint64 // of the card's memory, charged to the budget
	memory      driver.Pointer
	selection   *selection    // of rows, on their way; nil: all
	lent        uint64        // so much of the session's lending is what memory is in; 0: nothing
	ready       *driver.Event // when it is there and checked; nil: it is
}

// conversion is an edge column that is no float64, or has nulls.
type conversion struct {
	column             int
	kind               kernels.Numeric
	values, nulls      []byte
	from, to, validity driver.Pointer
}

// openResident opens the chunk that an Upload brings. That its structure is sound is checked here; what the lists hold
// is for the card.
func openResident(job plugins.Job, c plugins.Command, wanted []chunk.Direction, names []string) (*resident, error) {
	opened, err := kit.OpenChunk(job, c, wanted, names)
	if err != nil {
		return nil, err
	}
	view := opened.Chunk
	r := &resident{view: view, meta: view.Meta()}
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
func (r *resident) measure(buf []byte, names []string) error {
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
	r.bytes = memory.Aligned(uint64(len(r.body))) + memory.Aligned(stream.HeadBytes) + uint64(len(r.conversions))*memory.Aligned(8*r.Edges)
	return nil
}

// column is the memory of an edge column, and of its validity bitmap if it has nulls.
func (r *resident) column(i int, name string) (values, nulls []byte, err error) {
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

// leastWeight is the least value of the first edge column, or one that is no number.
func (r *resident) leastWeight() float64 {
	weights, _ := r.view.Float64s(r.view.Columns()[0].Name)
	return slices.MinFunc(weights, cmp.Compare[float64]) // to which a NaN is least
}

// place says where everything is, now that there is memory for it.
func (r *resident) place(number uint32, names []string) {
	r.Number = number
	if r.selection != nil {
		r.placeSelection(len(names))
		return
	}
	r.describe(r.memory, names)
	next := r.memory + driver.Pointer(memory.Aligned(uint64(len(r.body))))
	r.At = next
	next += driver.Pointer(memory.Aligned(stream.HeadBytes))
	for i := range r.conversions {
		c := &r.conversions[i]
		c.from, c.validity, c.to = r.where(r.memory, c.values), r.where(r.memory, c.nulls), next
		r.Columns[c.column] = next
		next += driver.Pointer(memory.Aligned(8 * r.Edges))
	}
}

// describe says where lists and columns are, with the body at an address.
func (r *resident) describe(body driver.Pointer, names []string) {
	v := r.view
	r.Vertices, r.Offsets, r.Neighbors = r.where(body, memory.Bytes(v.Vertices())), r.where(body, memory.Bytes(v.Offsets())),
		r.where(body, memory.Bytes(v.Neighbors()))
	for i, name := range names {
		values, _ := v.Column(name)
		r.Columns[i] = r.where(body, valuesOf(values))
	}
}

// where is the address of a part of the body, with that at an address.
func (r *resident) where(body driver.Pointer, part []byte) driver.Pointer {
	if len(part) == 0 {
		return 0
	}
	return body + memory.AddressOf(part) - memory.AddressOf(r.body)
}

// await has a stream wait until the chunk is there.
func (r *resident) await(s driver.Stream) error {
	if r.ready == nil {
		return nil
	}
	return s.Wait(*r.ready)
}

// leaveArena forgets the memory that the chunk was copied from.
func (r *resident) leaveArena() {
	if r.view != nil {
		r.view.Release()
	}
	r.view, r.body = nil, nil
	r.conversions = nil
}

// free gives its memory back, which nothing on the card uses any more: in the queue that takes memory for the next
// chunk, so that this one may have it at once. In another the driver would have the copy wait for what kernels are
// queued there.
func (r *resident) free(s *session) error {
	r.leaveArena()
	s.budget.Give(r.bytes)
	switch {
	case r.lent > 0:
		s.giveLent(r)
		return nil
	case s.managed:
		return s.card.Context.FreeManaged(r.memory)
	}
	return errors.Join(r.dropSelection(s), s.streams.Copying.Free(r.memory))
}
