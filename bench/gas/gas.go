package main

// phase is half of an epoch of a vertex program of GAS: gather, apply and scatter of the vertices of one side (Gonzalez
// et al., PowerGraph, OSDI'12). Gather reads neighbors as they were when the phase began, in a full copy of the state
// that scatter brings up to date when all have applied; it changes nothing but what is gathered for its own vertex.
type phase struct {
	width       int
	from, to    []float32 // the state of the side, and its copy, which the other side gathers from
	others      []float32 // the copy of the other side's state
	offsets     []int64
	targets     []uint32
	values      []float32
	program     program
	accumulator []float32
}

// program is what is computed of a vertex, its row, by those at the other ends of its edges.
type program interface {
	start(gathered, row []float32)
	gather(gathered, row, other []float32, value float32)
	apply(row, gathered []float32)
}

func (p *phase) run() {
	for v := range len(p.offsets) - 1 {
		row := p.from[v*p.width:][:p.width:p.width]
		p.program.start(p.accumulator, row)
		for i := p.offsets[v]; i < p.offsets[v+1]; i++ {
			at := int(p.targets[i]) * p.width
			p.program.gather(p.accumulator, row, p.others[at:at+p.width:at+p.width], p.values[i])
		}
		p.program.apply(row, p.accumulator)
	}
	copy(p.to, p.from)
}
