package chunk

import (
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk/internal/check"
	"github.com/penstock-db/penstock/formats/chunk/internal/encoding"
)

// maxEdges is what Arrow's 32-bit list offsets can count.
const maxEdges = math.MaxInt32

// maxInterval is how many vertices a uint32 can tell apart.
const maxInterval = 1 << 32

// EdgeColumn is an edge property for FromCSR: one value an edge, in the order of the neighbors.
type EdgeColumn struct {
	Name   string
	Values arrow.Array
}

// FromCSR makes a chunk of adjacency lists. vertices names the rows present, ascending
// and local to meta.Rows; nil: every vertex of it. Row i's list is
// neighbors[offsets[i]:offsets[i+1]], local to meta.Cols; columns run parallel to
// neighbors. The slices are wrapped, not copied, and must not change while the chunk
// is used. Arrays are retained; one that is a slice of another is copied with mem.
//
// Lengths and offsets are checked here (*InvalidError, *TypeError,
// *TooManyEdgesError); Validate checks the rest.
func FromCSR(mem memory.Allocator, meta Meta, vertices []uint32, offsets []int32, neighbors []uint32,
	columns []EdgeColumn) (*Chunk, error) {
	t := encoding.Topology{Vertices: vertices, Offsets: offsets, Neighbors: neighbors}
	if err := checkMeta(meta); err != nil {
		return nil, err
	}
	if err := checkLengths(meta, t); err != nil {
		return nil, err
	}
	stats, err := newStats(t)
	if err != nil {
		return nil, err
	}
	if err := checkColumns(columns, len(neighbors)); err != nil {
		return nil, err
	}
	owned, err := ownColumns(mem, columns)
	defer encoding.Release(owned)
	if err != nil {
		return nil, err
	}
	return assemble(head{Version, meta, stats}, t, owned), nil
}

func checkMeta(meta Meta) error {
	if int(meta.Direction) >= len(directionNames) {
		return check.Invalid("direction", "%s is none", meta.Direction)
	}
	for _, i := range [...]struct {
		name string
		Interval
	}{{"row interval", meta.Rows}, {"column interval", meta.Cols}} {
		if i.Count > maxInterval || i.Base > math.MaxUint64-i.Count {
			return check.Invalid(i.name, "[%d, +%d) is longer than 2^32 vertices or passes 2^64", i.Base, i.Count)
		}
	}
	return nil
}

func checkLengths(meta Meta, t encoding.Topology) error {
	rows := uint64(len(t.Vertices))
	if t.Vertices == nil {
		rows = meta.Rows.Count
	}
	switch {
	case len(t.Neighbors) > maxEdges:
		return &TooManyEdgesError{Edges: uint64(len(t.Neighbors))}
	case rows > math.MaxInt32:
		return check.Invalid("vertices", "%d rows; a chunk holds at most 2^31-1: make its row interval smaller", rows)
	case rows > meta.Rows.Count:
		return check.Invalid("vertices", "%d present in an interval of %d", rows, meta.Rows.Count)
	case uint64(len(t.Offsets)) != rows+1:
		return check.Invalid("offsets", "%d for %d rows; expected %d", len(t.Offsets), rows, rows+1)
	case t.Offsets[0] != 0:
		return check.Invalid("offsets", "the first is %d; expected 0", t.Offsets[0])
	case int(t.Offsets[rows]) != len(t.Neighbors):
		return check.Invalid("offsets", "the last is %d; there are %d neighbors", t.Offsets[rows], len(t.Neighbors))
	}
	return nil
}

func checkColumns(columns []EdgeColumn, edges int) error {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
		if !encoding.Supported(c.Values.DataType()) {
			return &TypeError{Column: c.Name, Type: c.Values.DataType()}
		}
		if c.Values.Len() != edges {
			return check.Invalid("column "+c.Name, "%d values for %d edges", c.Values.Len(), edges)
		}
	}
	if name, twice := repeated(names); twice {
		return check.Invalid("column "+name, "named twice")
	}
	return nil
}

// ownColumns retains the arrays, or copies those whose memory does not start at their
// first value. What it returns must be released even when it fails.
func ownColumns(mem memory.Allocator, columns []EdgeColumn) ([]encoding.Column, error) {
	owned := make([]encoding.Column, 0, len(columns))
	for _, c := range columns {
		values := c.Values
		if !encoding.Whole(values.Data()) {
			copied, err := array.Concatenate([]arrow.Array{values}, mem)
			if err != nil {
				return owned, check.Invalid("column "+c.Name, "%v", err)
			}
			values = copied
		} else {
			values.Retain()
		}
		countNulls(values)
		field := arrow.Field{Name: c.Name, Type: values.DataType(), Nullable: true}
		owned = append(owned, encoding.Column{Field: field, Array: values})
	}
	return owned, nil
}

// countNulls makes Arrow count the nulls now: it does so when first asked, and writes
// down the answer, which must not happen to several readers at once.
func countNulls(values arrow.Array) {
	values.NullN()
	if list, ok := values.(array.ListLike); ok {
		countNulls(list.ListValues())
	}
}
