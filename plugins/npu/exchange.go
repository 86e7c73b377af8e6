package npu

import (
	"iter"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// errWhole answers Gather and Deliver where the session has all edges.
var errWhole = plugins.Errorf(plugins.KindInvalid, "Gather and Deliver need a task that says Part")

// gather writes what has come to a column of accumulators, and forgets it.
func (p *program) gather(a *arena.Arena, c plugins.Command) error {
	l := p.lanes[0]
	to, among, err := p.exchanged(a, c, l.accType)
	if err != nil {
		return err
	}
	for v := range among {
		to.Slice(v, v+1).Copy(l.acc.Slice(v, v+1))
	}
	l.forget()
	clear(p.sent)
	return nil
}

// deliver takes what another session has gathered or, in a task that settles, what it knows.
func (p *program) deliver(a *arena.Arena, c plugins.Command) error {
	l := p.lanes[0]
	from, among, err := p.exchanged(a, c, l.accType)
	if err != nil {
		return err
	}
	for v := range among {
		if !p.settling {
			l.acc.Slice(v, v+1).Reduce(l.spec.Reduce, from.Slice(v, v+1))
		} else if improve(l.spec.Reduce, l.state[0], v, from, v) {
			l.active[v/64] |= 1 << (v % 64)
		}
	}
	return nil
}

// exchanged are the column that c is about, and the vertices.
func (p *program) exchanged(a *arena.Arena, c plugins.Command, t algorithms.Type) (column vector.Column, among iter.Seq[int], err error) {
	if !p.part {
		return column, nil, errWhole
	}
	values, err := kit.OpenColumn(a, t, c.At, p.n)
	if err != nil {
		return column, nil, plugins.Errorf(plugins.KindInvalid, "the column to exchange: %w", err)
	}
	column = vector.View(values)
	if c.Among == (arena.Range{}) {
		return column, everybody(p.n), nil
	}
	set, err := kit.OpenBitmap(a, c.Among, p.n)
	return column, bitmap.Members(set), err
}

func everybody(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for v := range n {
			if !yield(v) {
				return
			}
		}
	}
}
