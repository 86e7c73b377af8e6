package compile

import (
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// Layout is where in the program's slab everything is that it has on the card beside chunks.
type Layout struct {
	memory.Slab

	Program, Counters, Constants uint64
	Acc, Active                  uint64
	Departing, Set               uint64 // of Settle
	Scratch                      uint64
	aggregates, next, messages   uint64
}

// layOut places everything.
func (p *Program) layOut() {
	l, n, words := &p.Layout, uint64(p.N), 8*uint64(bitmap.Words(p.N))
	l.Program = l.Place(uint64(len(memory.BytesOf(&kernels.Program{}))))
	l.Counters = l.Place(uint64(len(memory.BytesOf(&kernels.Counters{}))))
	l.Constants = l.Place(8 * uint64(len(p.Lowered.Constants)))
	l.aggregates = l.Place(8 * uint64(len(p.Spec.Aggregates)))
	l.Acc, l.Active, l.next = l.Place(8*n), l.Place(words), l.Place(words)
	if own, _ := p.Template.Messages(); own {
		l.messages = l.Place(8 * n)
	}
	if p.Settling {
		l.Departing, l.Set = l.Place(words), l.Place(words)
	}
	for i := range p.Columns {
		p.Columns[i].At = l.Place(uint64(len(p.Columns[i].Bytes)))
	}
	l.Scratch = l.Place(kernels.Scratch(p.Edges))
}

// Describe is the program as kernels read it, with its slab at an address.
func (p *Program) Describe(slab driver.Pointer) kernels.Program {
	at := func(offset uint64) driver.Pointer { return slab + driver.Pointer(offset) }
	d := kernels.Program{
		Vertices: uint64(p.N), Reduce: uint64(p.Spec.Reduce), AccType: uint64(p.Lowered.AccType),
		Activity: uint64(p.Spec.Activity), Norm: uint64(p.Spec.Norm), FirstType: uint64(p.Lowered.StateTypes[0]),
		Constants: at(p.Layout.Constants), Aggregates: at(p.Layout.aggregates), Acc: at(p.Layout.Acc),
		Active: at(p.Layout.Active), NextActive: at(p.Layout.next), Counters: at(p.Layout.Counters),
	}
	places := p.places()
	for _, c := range p.Columns {
		d.Columns[places[c.Name]] = at(c.At)
	}
	if own, column := p.Template.Messages(); own {
		d.Messages = at(p.Layout.messages)
	} else if column >= 0 {
		d.Messages = d.Columns[column]
	}
	return d
}

// places says where in kernels.Program.Columns a column is.
func (p *Program) places() map[string]int {
	places := map[string]int{"id": kernels.ColumnID, "out_degree": kernels.ColumnOutDegree,
		"in_degree": kernels.ColumnInDegree}
	for i, s := range p.Spec.State {
		places[s.Name] = kernels.ColumnState + i
	}
	for i, c := range p.Spec.Properties {
		places[c.Name] = kernels.ColumnState + len(p.Spec.State) + i
	}
	return places
}
