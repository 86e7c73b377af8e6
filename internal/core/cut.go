package core

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Part is which of the two an edge is in.
type Part uint8

const (
	Core Part = iota // both its ends are in the set
	Rest             // all others
)

// Inside counts a chunk's edges that are the core's, and puts their ends into linked.
func Inside(c *chunk.Chunk, core, linked Set) (edges uint64) {
	base := c.Meta().Cols.Base
	for v, list := range c.Lists() {
		if !core.Has(v) {
			continue
		}
		for _, n := range list {
			if to := base + uint64(n); core.Has(to) {
				linked.Add(v)
				linked.Add(to)
				edges++
			}
		}
	}
	return edges
}

// Cut copies a part of a chunk: of the core the lists that have something there, of the rest all. Edge columns must
// have a fixed width of whole bytes, and no nulls. The caller releases the answer.
func Cut(c *chunk.Chunk, core Set, part Part) (*chunk.Chunk, error) {
	k := cut{lists: listsOf(c, core), part: part, ends: []int32{0}}
	if part == Core || k.vertices != nil {
		k.kept = []uint32{}
	}
	for row := range c.Rows() {
		k.keep(row)
	}
	var columns []chunk.EdgeColumn
	for _, f := range c.Columns() {
		values, _ := c.Column(f.Name) // it is one of them
		values = k.column(values)
		defer values.Release()
		columns = append(columns, chunk.EdgeColumn{Name: f.Name, Values: values})
	}
	return chunk.FromCSR(memory.DefaultAllocator, c.Meta(), k.kept, k.ends, gather(k.neighbors, k.runs, k.edges), columns)
}

// cut is the part of some lists.
type cut struct {
	lists
	part  Part
	kept  []uint32 // the vertices of those that are kept; nil: all
	ends  []int32  // of the lists, after what is kept of them
	runs  []run
	edges int // in all runs
}

// run is edges [from, to) of a chunk.
type run struct{ from, to int }

// keep takes of a row's list what is of the part.
func (k *cut) keep(row int) {
	before := k.edges
	if from, to := k.span(row); k.isCore(row) {
		k.keepSome(from, to)
	} else if k.part == Rest && from < to {
		k.push(run{from, to})
	}
	if k.part == Core && k.edges == before {
		return
	}
	if k.kept != nil {
		k.kept = append(k.kept, k.local(row))
	}
	k.ends = append(k.ends, int32(k.edges))
}

// keepSome takes of a core vertex's list [from, to) what is of the part.
func (k *cut) keepSome(from, to int) {
	for edge := from; edge < to; edge++ {
		if k.core.Has(k.neighbor(edge)) == (k.part == Core) {
			k.push(run{edge, edge + 1})
		}
	}
}

// push takes edges, which may go on where the last ended.
func (k *cut) push(r run) {
	if last := len(k.runs) - 1; last >= 0 && k.runs[last].to == r.from {
		k.runs[last].to = r.to
	} else {
		k.runs = append(k.runs, r)
	}
	k.edges += r.to - r.from
}

// column copies what is kept of an edge column.
func (k *cut) column(values arrow.Array) arrow.Array {
	width := values.DataType().(arrow.FixedWidthDataType).BitWidth() / 8
	all := make([]byte, 0, k.edges*width)
	for _, r := range k.runs {
		all = append(all, values.Data().Buffers()[1].Bytes()[r.from*width:r.to*width]...)
	}
	data := array.NewData(values.DataType(), k.edges, []*memory.Buffer{nil, memory.NewBufferBytes(all)}, nil, 0, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// gather copies runs of values, so many together.
func gather(values []uint32, runs []run, n int) []uint32 {
	all := make([]uint32, 0, n)
	for _, r := range runs {
		all = append(all, values[r.from:r.to]...)
	}
	return all
}
