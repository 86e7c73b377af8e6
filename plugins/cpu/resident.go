package cpu

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// segmentEdges is the number of edges of a task over edges. It is the same for any
// number of threads, since it decides the order of sums.
const segmentEdges = 64 << 10

// resident is an uploaded chunk, ready for kernels: checked, its parts at hand.
type resident struct {
	chunk      *chunk.Chunk
	direction  chunk.Direction
	rows, cols chunk.Interval
	vertices   []uint32 // local to rows; nil: every one
	offsets    []int32
	neighbors  []uint32    // local to cols
	weights    [][]float64 // of each of the program's edge columns
	bytes      uint64      // charged to the budget
	at         place       // where it lies
	firstHead  int         // the head of its first segment, in a wave
}

// open opens the chunk in buf, where it will live, and sees that it belongs here. Its edges
// are to be validated. Its weights are there once convert has run; bytes counts them already.
func open(buf []byte, graph plugins.Graph, wanted []chunk.Direction, edgeColumns []string) (*resident, error) {
	c, err := view(buf, edgeColumns)
	if err != nil {
		return nil, err
	}
	meta := c.Meta()
	r := &resident{chunk: c, direction: meta.Direction, rows: meta.Rows, cols: meta.Cols, bytes: uint64(c.EncodedSize()),
		vertices: c.Vertices(), offsets: c.Offsets(), neighbors: c.Neighbors()}
	if err := errors.Join(r.belongs(graph, wanted), r.countColumns(edgeColumns)); err != nil {
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

// convert makes the weights ready.
func (r *resident) convert(names []string) {
	for _, name := range names {
		values, _ := r.chunk.Float64s(name)
		r.weights = append(r.weights, values)
	}
}

func (r *resident) belongs(graph plugins.Graph, wanted []chunk.Direction) error {
	if !slices.Contains(wanted, r.direction) {
		return errors.New("its lists are of direction " + r.direction.String() + ", which the plan did not ask for")
	}
	if r.rows.End() > graph.Vertices || r.cols.End() > graph.Vertices {
		return errors.New("its intervals exceed the graph's vertices")
	}
	if r.segments() > headCount(graph) {
		return errors.New("it has more edges than the graph")
	}
	return nil
}

// segments is the number of tasks that the chunk's edges make.
func (r *resident) segments() int { return (len(r.neighbors) + segmentEdges - 1) / segmentEdges }

// headCount is the most segments that a chunk of graph can have.
func headCount(graph plugins.Graph) int {
	const most = (math.MaxInt32 + segmentEdges - 1) / segmentEdges
	return int(min(most, (2*graph.Edges+segmentEdges-1)/segmentEdges))
}

// segment is the edges [from, to) of a segment and the row that from lies in.
func (r *resident) segment(s int) (from, to, row int) {
	from = s * segmentEdges
	to = min(from+segmentEdges, len(r.neighbors))
	row = sort.Search(len(r.offsets), func(i int) bool { return int(r.offsets[i]) > from }) - 1
	return from, to, row
}

// local is the vertex of a row, local to rows.
func (r *resident) local(row int) int {
	if r.vertices == nil {
		return row
	}
	return int(r.vertices[row])
}

// weightsOf is an edge column, or nil when i is -1.
func (r *resident) weightsOf(i int) []float64 {
	if i < 0 {
		return nil
	}
	return r.weights[i]
}
