package npu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// resident is an uploaded chunk, read in place: what matrices are made of. Its rows are
// those who receive, its columns those who send.
type resident struct {
	chunk      *chunk.Chunk
	rows, cols chunk.Interval
	vertices   []uint32 // local to rows; nil: every one
	offsets    []int32
	neighbors  []uint32    // local to cols
	weights    [][]float64 // of each of the program's edge columns
	bytes      uint64      // charged to the budget
}

// open opens the chunk in buf, where it will live, and checks every edge of it.
func open(buf []byte, graph plugins.Graph, wanted []chunk.Direction, edgeColumns []string) (*resident, error) {
	c, err := view(buf, edgeColumns)
	if err != nil {
		return nil, err
	}
	meta := c.Meta()
	r := &resident{chunk: c, rows: meta.Rows, cols: meta.Cols, bytes: uint64(c.EncodedSize()),
		vertices: c.Vertices(), offsets: c.Offsets(), neighbors: c.Neighbors()}
	if err := errors.Join(r.belongs(graph, wanted), r.countColumns(edgeColumns), c.Validate()); err != nil {
		c.Release()
		return nil, err
	}
	return r, nil
}

// view is the chunk in buf without the edge columns that are not wanted.
func view(buf []byte, edgeColumns []string) (*chunk.Chunk, error) {
	c, err := chunk.OpenUnaligned(buf)
	if err != nil {
		return nil, err
	}
	defer c.Release()
	return c.Project(edgeColumns...)
}

func (r *resident) belongs(graph plugins.Graph, wanted []chunk.Direction) error {
	if d := r.chunk.Meta().Direction; !slices.Contains(wanted, d) {
		return errors.New("its lists are of direction " + d.String() + ", which the plan did not ask for")
	}
	if r.rows.End() > graph.Vertices || r.cols.End() > graph.Vertices {
		return errors.New("its intervals exceed the graph's vertices")
	}
	return nil
}

// countColumns adds what columns will take that Float64s must convert.
func (r *resident) countColumns(names []string) error {
	for _, name := range names {
		values, _ := r.chunk.Column(name)
		if !numeric(values.DataType()) {
			return fmt.Errorf("edge column %q is a %s, not a number", name, values.DataType())
		}
		if values.DataType().ID() != arrow.FLOAT64 || values.NullN() > 0 {
			r.bytes += 8 * uint64(len(r.neighbors))
		}
	}
	return nil
}

func numeric(t arrow.DataType) bool {
	return arrow.IsInteger(t.ID()) || t.ID() == arrow.FLOAT32 || t.ID() == arrow.FLOAT64
}

// convert makes the weights ready, once the budget has agreed.
func (r *resident) convert(names []string) {
	for _, name := range names {
		values, _ := r.chunk.Float64s(name)
		r.weights = append(r.weights, values)
	}
}

// vertex is the graph's number of a row's vertex.
func (r *resident) vertex(row int) uint64 {
	if r.vertices == nil {
		return r.rows.Base + uint64(row)
	}
	return r.rows.Base + uint64(r.vertices[row])
}

// list is where a row's edges stand.
func (r *resident) list(row int) (from, to int) { return int(r.offsets[row]), int(r.offsets[row+1]) }

// rowCount is how many rows there are.
func (r *resident) rowCount() int { return len(r.offsets) - 1 }
