package intervals

import (
	"encoding/binary"
	"slices"

	"github.com/penstock-db/penstock/host/internal/plan"
)

// choose finds out which sources of a cell of a column are active, and tells how many. Nothing is read of a list
// without one.
func (o *owner) choose(j int, c cell) (active int, err error) {
	s := o.session
	s.chosen, s.places = s.chosen[:0], s.places[:0]
	if c.among {
		return o.chooseAmong(j), nil
	}
	place := uint32(0)
	for _, l := range c.sources {
		if o.someSend(l.span()) {
			if err := o.chooseOf(l, place); err != nil {
				return 0, err
			}
		}
		place += uint32(l.count)
	}
	return len(s.chosen), nil
}

// maySend tells whether a source of a cell may send.
func (g *grid) maySend(c cell) bool {
	return slices.ContainsFunc(c.sources, func(l list) bool { return g.someSend(l.span()) })
}

// changes tells whether a source of a cell is active. Of edges among an interval it is one that lies there.
func (o *owner) changes(c cell) (bool, error) {
	for _, l := range c.sources {
		switch {
		case !o.someActive(l.span()):
			continue
		case c.among:
			return true, nil
		}
		ids := o.ids[:plan.SourceBytes*l.count]
		if err := o.cells.read(ids, l.at); err != nil {
			return false, err
		}
		for k := range l.count {
			v := l.base + uint64(binary.NativeEndian.Uint32(ids[plan.SourceBytes*k:]))
			if o.now[v/64]>>(v%64)&1 != 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

// chooseOf chooses of a list, whose first vertex is at a place.
func (o *owner) chooseOf(l list, place uint32) error {
	s := o.session
	ids := o.ids[:plan.SourceBytes*l.count]
	if err := o.cells.read(ids, l.at); err != nil {
		return err
	}
	before := len(s.chosen)
	for k := range uint32(l.count) {
		v := l.base + uint64(binary.NativeEndian.Uint32(ids[plan.SourceBytes*k:]))
		if o.sends(v) {
			s.chosen, s.places = append(s.chosen, v), append(s.places, place+k)
		}
	}
	o.expect(s.chosen[before:])
	return nil
}
