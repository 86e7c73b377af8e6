// Package csr reads resident chunks as compressed sparse rows, and finds the list of a vertex among them.
//
//	Chunk       one chunk: rows, columns, offsets, neighbors, weights    (chunk.go, rows.go)
//	Batch       chunks whose segments may be processed in any order      (batch.go)
//	BlockIndex  block of vertices ──▶ chunks with rows in it             (blockindex.go)
//	Index       vertex ──▶ chunks that may have its list                 (index.go)
//	WordIndex   vertex ──▶ its lists, in chunks that come and go         (wordindex.go)
//
// A chunk's edges are cut into segments of chunk.SumEdges edges, the tasks of a pass over
// edges. A row that spans segments has a partial sum, its head, in each segment but the first.
package csr

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

// Chunk is an uploaded chunk, ready for kernels: checked, its parts at hand.
type Chunk struct {
	direction  chunk.Direction
	Rows, Cols chunk.Interval
	Vertices   []uint32 // local to rows; nil: every one
	Offsets    []int32
	Neighbors  []uint32    // local to cols
	Weights    [][]float64 // of each of the program's edge columns
	FirstHead  int         // the head of its first segment, in a batch
}

// Open has the parts of a chunk at hand.
func Open(c *kit.Chunk, graph plugins.Graph) (*Chunk, error) {
	meta := c.Meta()
	r := &Chunk{direction: meta.Direction, Rows: meta.Rows, Cols: meta.Cols,
		Vertices: c.Vertices(), Offsets: c.Offsets(), Neighbors: c.Neighbors(), Weights: c.Weights}
	if r.Segments() > MaxSegments(graph) {
		return nil, errors.New("it has more edges than the graph")
	}
	return r, nil
}

// Segments is the number of tasks that the chunk's edges make.
func (r *Chunk) Segments() int { return (len(r.Neighbors) + segmentEdges - 1) / segmentEdges }

// MaxSegments is the most segments that a chunk of graph can have.
func MaxSegments(graph plugins.Graph) int {
	const most = (math.MaxInt32 + segmentEdges - 1) / segmentEdges
	return int(min(most, (2*graph.Edges+segmentEdges-1)/segmentEdges))
}

// Segment is the edges [from, to) of a segment and the row that from lies in.
func (r *Chunk) Segment(s int) (from, to, row int) {
	from = s * segmentEdges
	to = min(from+segmentEdges, len(r.Neighbors))
	return from, to, r.RowOf(from)
}

// RowOf is the row that an edge lies in.
func (r *Chunk) RowOf(edge int) int {
	return sort.Search(len(r.Offsets), func(i int) bool { return int(r.Offsets[i]) > edge }) - 1
}

// SegmentEnd is the end of the segment that an edge is in.
func (r *Chunk) SegmentEnd(edge int) int { return (edge/segmentEdges + 1) * segmentEdges }

// Local is the vertex of a row, local to rows.
func (r *Chunk) Local(row int) int {
	if r.Vertices == nil {
		return row
	}
	return int(r.Vertices[row])
}

// WeightsOf is an edge column, or nil when i is -1.
func (r *Chunk) WeightsOf(i int) []float64 {
	if i < 0 {
		return nil
	}
	return r.Weights[i]
}
