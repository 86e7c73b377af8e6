package plugintest

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

// partition says how a graph is made into chunks. Any partition is legal for a host.
type partition struct {
	rows, cols int  // intervals, at most
	sparse     bool // leave out vertices without edges: chunks with a `vertex` column
	whole      bool // store columns of whole numbers as int64
}

// encoded is one chunk as a store would hand it over.
type encoded struct {
	direction  chunk.Direction
	rows, cols chunk.Interval
	edges      int
	bytes      []byte // 64-byte aligned
}

// encode cuts the lists of one direction, with the named edge columns, at random places.
func encode(t testing.TB, r *rand.Rand, g *algorithms.Graph, d chunk.Direction, c partition,
	columns []string) []encoded {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	lists := g.Out
	if d == chunk.In {
		lists = g.In
	}
	var all []encoded
	for _, rows := range intervals(r, g.N(), c.rows) {
		for _, cols := range intervals(r, g.N(), c.cols) {
			meta := chunk.Meta{Graph: "plugintest", Snapshot: 1, Direction: d, Rows: rows, Cols: cols}
			all = append(all, piece{lists: lists, meta: meta, partition: c}.encode(t, mem, columns))
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

// piece is the part of some lists that one chunk holds.
type piece struct {
	lists     algorithms.Lists
	meta      chunk.Meta
	partition partition
	vertices  []uint32
	offsets   []int32
	neighbors []uint32
	edges     []int // where each edge stands in lists
}

func (p piece) encode(t testing.TB, mem memory.Allocator, names []string) encoded {
	t.Helper()
	p.gather()
	var columns []chunk.EdgeColumn
	for _, name := range names {
		values := p.column(mem, p.lists.Columns[name])
		defer values.Release()
		columns = append(columns, chunk.EdgeColumn{Name: name, Values: values})
	}
	vertices := p.vertices
	if !p.partition.sparse {
		vertices = nil
	}
	c, err := chunk.FromCSR(mem, p.meta, vertices, p.offsets, p.neighbors, columns)
	if err != nil {
		t.Fatalf("chunk of rows %v: %v", p.meta.Rows, err)
	}
	defer c.Release()
	e := encoded{direction: p.meta.Direction, rows: p.meta.Rows, cols: p.meta.Cols, edges: len(p.edges),
		bytes: chunk.Aligned(c.EncodedSize())}
	if _, err := c.EncodeTo(e.bytes); err != nil {
		t.Fatalf("chunk of rows %v: %v", p.meta.Rows, err)
	}
	return e
}

// gather fills in the CSR arrays, in numbers local to the intervals.
func (p *piece) gather() {
	p.offsets, p.vertices = []int32{0}, []uint32{}
	for v := p.meta.Rows.Base; v < p.meta.Rows.End(); v++ {
		for k := p.lists.Offsets[v]; k < p.lists.Offsets[v+1]; k++ {
			u := uint64(p.lists.Neighbors[k])
			if u >= p.meta.Cols.Base && u < p.meta.Cols.End() {
				p.neighbors = append(p.neighbors, uint32(u-p.meta.Cols.Base))
				p.edges = append(p.edges, k)
			}
		}
		if p.partition.sparse && len(p.edges) == int(p.offsets[len(p.offsets)-1]) {
			continue
		}
		p.vertices = append(p.vertices, uint32(v-p.meta.Rows.Base))
		p.offsets = append(p.offsets, int32(len(p.edges)))
	}
}

// column is one edge property of the piece's edges.
func (p *piece) column(mem memory.Allocator, all []float64) arrow.Array {
	values := make([]float64, len(p.edges))
	integral := true
	for i, k := range p.edges {
		values[i] = all[k]
		integral = integral && values[i] == float64(int64(values[i]))
	}
	if p.partition.whole && integral {
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
