package drive

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
)

// Partition says how a graph is made into chunks. Any partition is legal for a host.
type Partition struct {
	Rows, Cols int  // intervals, at most
	Sparse     bool // leave out vertices without edges: chunks with a `vertex` column
	Whole      bool // store columns of whole numbers as int64
}

// Encoded is one chunk as a store would hand it over.
type Encoded struct {
	Direction  chunk.Direction
	rows, cols chunk.Interval
	edges      int
	Bytes      []byte // 64-byte aligned
}

// Encode cuts the lists of one direction, with the named edge columns, at random places.
func Encode(t testing.TB, r *rand.Rand, g *algorithms.Graph, d chunk.Direction, c Partition,
	columns []string) []Encoded {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	lists := g.Out
	if d == chunk.In {
		lists = g.In
	}
	var all []Encoded
	for _, rows := range intervals(r, g.N(), c.Rows) {
		for _, cols := range intervals(r, g.N(), c.Cols) {
			meta := chunk.Meta{Graph: "plugintest", Snapshot: 1, Direction: d, Rows: rows, Cols: cols}
			all = append(all, Piece{Lists: lists, Meta: meta, Partition: c}.Encode(t, mem, columns))
		}
	}
	return all
}

// intervals cuts [0,n) at random places into at most k intervals.
func intervals(r *rand.Rand, n, k int) []chunk.Interval {
	ends := []int{n}
	for range k - 1 {
		ends = append(ends, r.IntN(n+1))
	}
	slices.Sort(ends)
	var cuts []chunk.Interval
	base := 0
	for _, end := range ends {
		if end > base {
			cuts = append(cuts, chunk.Interval{Base: uint64(base), Count: uint64(end - base)})
			base = end
		}
	}
	return cuts
}

// Piece is the part of some lists that one chunk holds.
type Piece struct {
	Lists     algorithms.Lists
	Meta      chunk.Meta
	Partition Partition
	vertices  []uint32
	offsets   []int32
	neighbors []uint32
	edges     []int // where each edge stands in lists
}

// Encode makes the chunk, with the named edge columns.
func (p Piece) Encode(t testing.TB, mem memory.Allocator, names []string) Encoded {
	t.Helper()
	p.gather()
	var columns []chunk.EdgeColumn
	for _, name := range names {
		values := p.column(mem, p.Lists.Columns[name])
		defer values.Release()
		columns = append(columns, chunk.EdgeColumn{Name: name, Values: values})
	}
	vertices := p.vertices
	if !p.Partition.Sparse {
		vertices = nil
	}
	c, err := chunk.FromCSR(mem, p.Meta, vertices, p.offsets, p.neighbors, columns)
	if err != nil {
		t.Fatalf("chunk of rows %v: %v", p.Meta.Rows, err)
	}
	defer c.Release()
	e := Encoded{Direction: p.Meta.Direction, rows: p.Meta.Rows, cols: p.Meta.Cols, edges: len(p.edges),
		Bytes: chunk.Aligned(c.EncodedSize())}
	if _, err := c.EncodeTo(e.Bytes); err != nil {
		t.Fatalf("chunk of rows %v: %v", p.Meta.Rows, err)
	}
	return e
}

// gather fills in the CSR arrays, in numbers local to the intervals.
func (p *Piece) gather() {
	p.offsets, p.vertices = []int32{0}, []uint32{}
	for v := p.Meta.Rows.Base; v < p.Meta.Rows.End(); v++ {
		for k := p.Lists.Offsets[v]; k < p.Lists.Offsets[v+1]; k++ {
			u := uint64(p.Lists.Neighbors[k])
			if u >= p.Meta.Cols.Base && u < p.Meta.Cols.End() {
				p.neighbors = append(p.neighbors, uint32(u-p.Meta.Cols.Base))
				p.edges = append(p.edges, k)
			}
		}
		if p.Partition.Sparse && len(p.edges) == int(p.offsets[len(p.offsets)-1]) {
			continue
		}
		p.vertices = append(p.vertices, uint32(v-p.Meta.Rows.Base))
		p.offsets = append(p.offsets, int32(len(p.edges)))
	}
}

// column is one edge property of the piece's edges.
func (p *Piece) column(mem memory.Allocator, all []float64) arrow.Array {
	values := make([]float64, len(p.edges))
	integral := true
	for i, k := range p.edges {
		values[i] = all[k]
		integral = integral && values[i] == float64(int64(values[i]))
	}
	if p.Partition.Whole && integral {
		b := array.NewInt64Builder(mem)
		defer b.Release()
		for _, v := range values {
			b.Append(int64(v))
		}
		return b.NewArray()
	}
	b := array.NewFloat64Builder(mem)
	defer b.Release()
	b.AppendValues(values, nil)
	return b.NewArray()
}
