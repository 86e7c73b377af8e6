package cpu

import (
	"errors"
	"math"
	"sort"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// segmentEdges is the number of edges of a task over edges. It is the same for any
// number of threads, since it decides the order of sums, and hosts know it, which cut chunks.
const segmentEdges = chunk.SumEdges

// resident is an uploaded chunk, ready for kernels: checked, its parts at hand.
type resident struct {
	chunk      *kit.Chunk
	direction  chunk.Direction
	rows, cols chunk.Interval
	vertices   []uint32 // local to rows; nil: every one
	offsets    []int32
	neighbors  []uint32    // local to cols
	weights    [][]float64 // of each of the program's edge columns
	firstHead  int         // the head of its first segment, in a wave
}

// open has the parts of a chunk at hand, but for its weights.
func open(c *kit.Chunk, graph plugins.Graph) (*resident, error) {
	meta := c.Meta()
	r := &resident{chunk: c, direction: meta.Direction, rows: meta.Rows, cols: meta.Cols,
		vertices: c.Vertices(), offsets: c.Offsets(), neighbors: c.Neighbors()}
	if r.segments() > headCount(graph) {
		return nil, errors.New("it has more edges than the graph")
	}
	return r, nil
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
