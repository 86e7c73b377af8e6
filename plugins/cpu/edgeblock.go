package cpu

import (
	"strings"

	"github.com/penstock-db/penstock/plugins/cpu/vector"
)

// edgeBlock collects edges of one chunk, evaluates Process for all of them at once
// when it is full, and delivers the messages. It belongs to one worker.
type edgeBlock struct {
	machine    *vector.Machine
	inputs     []edgeInput
	buffers    []vector.Column // of each input
	chunk      *resident
	rows, cols []uint32 // of each edge, local to the chunk's intervals
	n          int
	deliver    func(b *edgeBlock, values vector.Column)
}

// edgeInput is where an input of Process comes from: an edge column, or a vertex
// column of whoever stands at the row or the column side of the edge.
type edgeInput struct {
	weight int // among the program's edge columns; -1: not one
	byRow  bool
	vertex vector.Column
}

// edgeInputs resolves the inputs of Process. In a pull rows are targets.
func edgeInputs(p *program, process *vector.Program) []edgeInput {
	var list []edgeInput
	for _, in := range process.Inputs {
		side, name, _ := strings.Cut(in.Name, ".")
		input := edgeInput{weight: -1, vertex: p.columns[name], byRow: (side == "src") != pulls(p.spec.Reduce)}
		if side == "edge" {
			input = edgeInput{weight: p.edgeColumn(name)}
		}
		list = append(list, input)
	}
	return list
}

func newEdgeBlock(process *vector.Program, inputs []edgeInput) *edgeBlock {
	b := &edgeBlock{machine: vector.NewMachine(process), inputs: inputs,
		rows: make([]uint32, vector.Width), cols: make([]uint32, vector.Width)}
	for i, in := range process.Inputs {
		b.buffers = append(b.buffers, vector.Make(in.Type, vector.Width))
		b.machine.Bind(i, b.buffers[i])
	}
	return b
}

// size in bytes, at most.
func (b *edgeBlock) size() uint64 {
	return b.machine.Size() + vector.Width*(8+8*uint64(len(b.buffers)))
}

// add takes the edges [from, to) of the row of vertex.
func (b *edgeBlock) add(vertex, from, to int) {
	for from < to {
		take := min(to-from, vector.Width-b.n)
		rows := b.rows[b.n : b.n+take]
		for i := range rows {
			rows[i] = uint32(vertex)
		}
		copy(b.cols[b.n:], b.chunk.neighbors[from:from+take])
		for i, in := range b.inputs {
			if in.weight >= 0 {
				copy(b.buffers[i].Floats[b.n:], b.chunk.weights[in.weight][from:from+take])
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
	for i, in := range b.inputs {
		switch {
		case in.weight >= 0:
		case in.byRow:
			b.buffers[i].Gather(in.vertex.Slice(int(b.chunk.rows.Base), int(b.chunk.rows.End())), b.rows[:b.n])
		default:
			b.buffers[i].Gather(in.vertex.Slice(int(b.chunk.cols.Base), int(b.chunk.cols.End())), b.cols[:b.n])
		}
	}
	b.machine.Eval(b.n)
	b.deliver(b, b.machine.Output(0, b.n))
	b.n = 0
}
