package cpu

import (
	"strings"

	"github.com/penstock-db/penstock/plugins/cpu/vector"
)

// edgeBlock evaluates Process for up to vector.Width edges of one chunk at once. It
// belongs to one worker. A pull takes edges as they lie, a push collects those of rows
// that send until the block is full.
type edgeBlock struct {
	machine *vector.Machine
	inputs  []edgeInput
	buffers []vector.Column // of each input
	chunk   *resident
	cols    []uint32 // of each collected edge, local to the chunk's columns
	n       int      // collected
	deliver func(cols []uint32, values vector.Column)
}

// edgeInput is where an input of Process comes from: an edge column, or a vertex
// column of whoever stands at the row or the column side of the edge.
type edgeInput struct {
	weight int // among the program's edge columns; -1: not one
	byRow  bool
	vertex *vector.Column // a hoisted one is there once allocated
}

// edgeInputs resolves the inputs of Process. In a pull rows are targets.
func edgeInputs(p *program, process *vector.Program) []edgeInput {
	var list []edgeInput
	for _, in := range process.Inputs {
		side, name, _ := strings.Cut(in.Name, ".")
		if side == "edge" {
			list = append(list, edgeInput{weight: p.edgeColumn(name)})
			continue
		}
		list = append(list, edgeInput{weight: -1, vertex: p.vertexColumn(name), byRow: (side == "src") != pulls(p.spec.Reduce)})
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
			b.machine.Bind(i, vector.Column{Floats: r.weights[in.weight][from:to]})
		case in.byRow:
			b.spread(i, row, from, to)
		default:
			b.buffers[i].Gather(in.vertex.Slice(int(r.cols.Base), int(r.cols.End())), r.neighbors[from:to])
		}
	}
	b.machine.Eval(to - from)
	return b.machine.Output(0, to-from)
}

// spread gives each of the edges [from, to) what input i is at its row.
func (b *edgeBlock) spread(i, row, from, to int) {
	base, end := int(b.chunk.rows.Base), int(b.chunk.rows.End())
	switch values := b.inputs[i].vertex; {
	case values.Floats != nil:
		spreadRows(b.buffers[i].Floats, values.Floats[base:end], b.chunk, row, from, to)
	case values.Ints != nil:
		spreadRows(b.buffers[i].Ints, values.Ints[base:end], b.chunk, row, from, to)
	default:
		spreadRows(b.buffers[i].Bools, values.Bools[base:end], b.chunk, row, from, to)
	}
}

func spreadRows[T any](places, values []T, r *resident, row, from, to int) {
	for ; from < to; row++ {
		end := max(from, min(int(r.offsets[row+1]), to))
		x, edges := values[r.local(row)], places[:end-from]
		for k := range edges {
			edges[k] = x
		}
		places, from = places[end-from:], end
	}
}

// add collects the edges [from, to) of the row of vertex.
func (b *edgeBlock) add(vertex, from, to int) {
	for from < to {
		take := min(to-from, vector.Width-b.n)
		copy(b.cols[b.n:], b.chunk.neighbors[from:from+take])
		for i, in := range b.inputs {
			switch {
			case in.weight >= 0:
				copy(b.buffers[i].Floats[b.n:], b.chunk.weights[in.weight][from:from+take])
			case in.byRow:
				b.buffers[i].Slice(b.n, b.n+take).Spread(*in.vertex, int(b.chunk.rows.Base)+vertex)
			}
		}
		b.n, from = b.n+take, from+take
		if b.n == vector.Width {
			b.flush()
		}
	}
}

// flush evaluates and delivers what has been collected.
func (b *edgeBlock) flush() {
	if b.n == 0 {
		return
	}
	cols := b.cols[:b.n]
	for i, in := range b.inputs {
		if in.weight < 0 && !in.byRow {
			b.buffers[i].Gather(in.vertex.Slice(int(b.chunk.cols.Base), int(b.chunk.cols.End())), cols)
		}
	}
	b.machine.Eval(b.n)
	b.deliver(cols, b.machine.Output(0, b.n))
	b.n = 0
}
