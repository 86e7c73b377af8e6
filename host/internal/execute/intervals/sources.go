package intervals

import (
	"encoding/binary"
	"slices"

	"github.com/penstock-db/penstock/host/internal/plan"
)

// choose finds out which sources of a cell are active, and tells how many. Nothing is read of a list without one.
func (e *executor) choose(c cell) (active int, err error) {
	s := e.state
	s.chosen, s.places = s.chosen[:0], s.places[:0]
	place := uint32(0)
	for _, l := range c.sources {
		if s.sends(l.span()) {
			if err := e.chooseOf(l, place); err != nil {
				return 0, err
			}
		}
		place += uint32(l.count)
	}
	return len(s.chosen), nil
}

// maySend tells whether a source of a cell may be active.
func (e *executor) maySend(c cell) bool {
	return slices.ContainsFunc(c.sources, func(l list) bool { return e.sends(l.span()) })
}

// chooseOf chooses of a list, whose first vertex is at a place.
func (e *executor) chooseOf(l list, place uint32) error {
	s := e.state
	ids := e.ids[:plan.SourceBytes*l.count]
	if err := e.cells.read(ids, l.at); err != nil {
		return err
	}
	before := len(s.chosen)
	for k := range uint32(l.count) {
		v := l.base + uint64(binary.NativeEndian.Uint32(ids[plan.SourceBytes*k:]))
		if s.now[v/64]>>(v%64)&1 != 0 {
			s.chosen, s.places = append(s.chosen, v), append(s.places, place+k)
		}
	}
	s.expect(s.chosen[before:])
	return nil
}

// send puts what messages are made of into the session, of the chosen sources alone: the others are not active there.
// It tells the bytes.
func (s *state) send() (bytes uint64) {
	words := s.cell[:s.each/64]
	clear(words)
	for _, p := range s.places {
		words[p/64] |= 1 << (p % 64)
	}
	for _, c := range s.columns {
		if !c.sent {
			continue
		}
		bytes += c.width * uint64(len(s.chosen))
		if c.width == 1 {
			for k, v := range s.chosen {
				c.cell[s.places[k]] = c.now[v]
			}
			continue
		}
		for k, v := range s.chosen {
			copy(c.cell[8*uint64(s.places[k]):][:8], c.now[8*v:][:8])
		}
	}
	s.moved += bytes + s.each/8
	return bytes
}
