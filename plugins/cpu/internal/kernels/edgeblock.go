package kernels

import (
	"strings"

	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// edgeBlock evaluates Process for up to vector.Width edges of one chunk at once. It
// belongs to one worker. A pull takes edges as they lie, a push too where enough of them
// lie together; else it collects those of rows that send until the block is full.
type edgeBlock struct {
	machine *vector.Machine
	inputs  []edgeInput
	buffers []vector.Column // of each input
	chunk   *csr.Chunk
	cols    []uint32 // of each collected edge, local to the chunk's columns
	n       int      // collected
	deliver func(cols []uint32, values vector.Column)
}

// edgeInput is where an input of Process comes from: an edge column, or a vertex
// column of the vertex at the row or the column side of the edge.
type edgeInput struct {
	weight int // among the program's edge columns; -1: not one
	byRow  bool
	vertex *vector.Column // a hoisted one is there once allocated
}

// edgeInputs resolves the inputs of what is evaluated per edge. In a pull rows are targets.
func edgeInputs(p *compile.Code, perEdge *vector.Program) []edgeInput {
	var list []edgeInput
	for _, in := range perEdge.Inputs {
		side, name, _ := strings.Cut(in.Name, ".")
		if side == "edge" {
			list = append(list, edgeInput{weight: p.EdgeColumn(name)})
			continue
		}
		list = append(list, edgeInput{weight: -1, vertex: p.VertexColumn(name), byRow: (side == "src") != p.Pulls})
	}
	return list
}

func newEdgeBlock(process *vector.Program, inputs []edgeInput) *edgeBlock {
	b := &edgeBlock{machine: vector.NewMachine(process), inputs: inputs, cols: make([]uint32, vector.Width)}
	for i, in := range process.Inputs {
		b.buffers = append(b.buffers, vector.Make(in.Type, vector.Width))
		b.machine.Bind(i, b.buffers[i])
	}
	return b
}

// PerEdge evaluates an expression of a program for the edges of a chunk. It belongs to one worker.
type PerEdge struct{ block *edgeBlock }

// NewPerEdge is for an expression over src.*, dst.* and edge.*.
func NewPerEdge(p *compile.Code, expression *vector.Program) *PerEdge {
	return &PerEdge{newEdgeBlock(expression, edgeInputs(p, expression))}
}

// Size in bytes.
func (e *PerEdge) Size() uint64 { return e.block.size() }

// Values of the edges [from, to) of a chunk, at most vector.Width; from is in row, or behind it. They are good until
// the next call.
func (e *PerEdge) Values(r *csr.Chunk, row, from, to int) vector.Column {
	e.block.chunk = r
	return e.block.lying(row, from, to)
}

// size in bytes, at most.
func (b *edgeBlock) size() uint64 {
	return b.machine.Size() + vector.Width*(4+8*uint64(len(b.buffers)))
}

// lying evaluates for the edges [from, to) of the chunk; from is in row, or behind it.
func (b *edgeBlock) lying(row, from, to int) vector.Column {
	r := b.chunk
	for i, in := range b.inputs {
		switch {
		case in.weight >= 0:
			b.machine.Bind(i, vector.Column{Floats: r.Weights[in.weight][from:to]})
		case in.byRow:
			b.spread(i, 0, row, from, to)
		default:
			b.buffers[i].Gather(in.vertex.Slice(int(r.Cols.Base), int(r.Cols.End())), r.Neighbors[from:to])
		}
	}
	b.machine.Eval(to - from)
	return b.machine.Output(0, to-from)
}

// spread gives each of the edges [from, to), kept from place on, what input i is at its row.
func (b *edgeBlock) spread(i, place, row, from, to int) {
	base, end := int(b.chunk.Rows.Base), int(b.chunk.Rows.End())
	switch values := b.inputs[i].vertex; {
	case values.Floats != nil:
		spreadRows(b.buffers[i].Floats[place:], values.Floats[base:end], b.chunk, row, from, to)
	case values.Ints != nil:
		spreadRows(b.buffers[i].Ints[place:], values.Ints[base:end], b.chunk, row, from, to)
	default:
		spreadRows(b.buffers[i].Bools[place:], values.Bools[base:end], b.chunk, row, from, to)
	}
}

func spreadRows[T any](places, values []T, r *csr.Chunk, row, from, to int) {
	for ; from < to; row++ {
		end := max(from, min(int(r.Offsets[row+1]), to))
		x, edges := values[r.Local(row)], places[:end-from]
		for k := range edges {
			edges[k] = x
		}
		places, from = places[end-from:], end
	}
}

// add collects the edges [from, to) of the chunk; from is in row. Where they alone make
// most of a block, they are evaluated as they lie.
func (b *edgeBlock) add(row, from, to int) {
	for r := b.chunk; from < to; {
		for int(r.Offsets[row+1]) <= from {
			row++
		}
		take := min(to-from, vector.Width)
		if take > vector.Width/2 {
			b.flush()
			b.deliver(r.Neighbors[from:from+take], b.lying(row, from, from+take))
		} else {
			b.collect(row, from, from+take)
		}
		from += take
	}
}

// collect takes the edges [from, to), less than a block, for the next flush.
func (b *edgeBlock) collect(row, from, to int) {
	if b.n+to-from > vector.Width {
		b.flush()
	}
	copy(b.cols[b.n:], b.chunk.Neighbors[from:to])
	for i, in := range b.inputs {
		switch {
		case in.weight >= 0:
			copy(b.buffers[i].Floats[b.n:], b.chunk.Weights[in.weight][from:to])
		case in.byRow:
			b.spread(i, b.n, row, from, to)
		}
	}
	b.n += to - from
}

// flush evaluates and delivers what has been collected.
func (b *edgeBlock) flush() {
	if b.n == 0 {
		return
	}
	cols := b.cols[:b.n]
	for i, in := range b.inputs {
		switch {
		case in.weight >= 0:
			b.machine.Bind(i, b.buffers[i])
		case !in.byRow:
			b.buffers[i].Gather(in.vertex.Slice(int(b.chunk.Cols.Base), int(b.chunk.Cols.End())), cols)
		}
	}
	b.machine.Eval(b.n)
	b.deliver(cols, b.machine.Output(0, b.n))
	b.n = 0
}
