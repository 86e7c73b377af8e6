package intervals

import (
	"errors"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/plan"
)

// sending cuts chunks whose rows send. What each list has of a destination interval is given to the last cell there, as
// one source more. Where intervals settle, lists of the same interval are kept apart.
type sending struct {
	*cutter
	waiting   []piece // of each destination interval
	among     []piece // of each, from its own vertices
	direction chunk.Direction
	end       uint64 // of the last chunk's rows
}

func (s *sending) add(view *chunk.Chunk) error {
	meta := view.Meta()
	if s.waiting == nil || s.direction != meta.Direction || s.end > meta.Rows.Base {
		if err := s.flush(); err != nil {
			return err
		}
		s.waiting, s.direction = make([]piece, s.Plan.Intervals.Count), meta.Direction
		s.among = make([]piece, s.Plan.Intervals.Count)
	}
	s.end = meta.Rows.End()
	destinations, first := s.intervals(meta.Cols)
	for k, lists := range cut.All(view).Across(destinations) {
		s.held += plan.ListHeld * lists.Lists()
		if err := s.addTo(first+k, lists); err != nil {
			return err
		}
	}
	return nil
}

// addTo adds lists that lead to an interval.
func (s *sending) addTo(q int, lists cut.Selection) error {
	others := []cut.Selection{lists}
	if s.Plan.Intervals.Settles {
		own := s.interval(q)
		before, from := lists.At(own.Base)
		within, after := from.At(own.End())
		if err := s.waitAmong(q, within); err != nil {
			return err
		}
		others = []cut.Selection{before, after}
	}
	for _, lists := range others {
		for _, part := range lists.Cut(s.room, s.edgeRoom()) {
			if err := s.wait(q, part); err != nil {
				return err
			}
		}
	}
	return nil
}

// waitAmong has lists be written with those before them, as far as a slot has room for their edges.
func (s *sending) waitAmong(q int, lists cut.Selection) error {
	p := &s.among[q]
	for _, part := range lists.Cut(s.room, s.edgeRoom()) {
		size := s.size(part)
		if p.count > 0 && !p.fits(size, s.room) {
			if err := s.writeAmong(q); err != nil {
				return err
			}
		}
		p.add(part, size)
	}
	return nil
}

// writeAmong writes the piece of edges among the vertices of an interval, if there is any.
func (s *sending) writeAmong(q int) error {
	p := s.among[q]
	if p.count == 0 {
		return nil
	}
	s.among[q] = piece{}
	joined, err := cut.Join(p.lists...)
	if err != nil {
		return err
	}
	joined.Compact()
	base := s.session(destinations).Base
	joined.MoveRows(s.interval(q), base)
	joined.MoveColumns(base)
	return s.cells.addAmong(q, s.interval(q), joined, s.buf, plan.Aligned(uint64(p.size)+s.Plan.Sizes().PartRoom()))
}

// wait has lists be written with those before them, as far as a cell has room for their sources, and a slot for their
// edges.
func (s *sending) wait(q int, lists cut.Selection) error {
	for lists.Lists() > 0 {
		p := &s.waiting[q]
		if size := s.size(lists); p.count > 0 && (uint64(p.count) >= s.cells.room(q) || !p.fits(size, s.room)) {
			if err := s.write(q); err != nil {
				return err
			}
		}
		fit, rest := lists.SplitAt(int(min(uint64(lists.Lists()), s.cells.room(q)-uint64(p.count))))
		p.add(fit, s.size(fit))
		lists = rest
	}
	return nil
}

// flush writes all pieces.
func (s *sending) flush() error {
	s.held = 0
	for q := range s.waiting {
		if err := errors.Join(s.write(q), s.writeAmong(q)); err != nil {
			return err
		}
	}
	return nil
}

// write writes the piece of a destination interval, if there is any.
func (s *sending) write(q int) error {
	p := s.waiting[q]
	if p.count == 0 {
		return nil
	}
	s.waiting[q] = piece{}
	joined, err := cut.Join(p.lists...)
	if err != nil {
		return err
	}
	s.cells.room(q)
	first, err := s.cells.addSources(q, uint64(p.count), joined.Vertices)
	if err != nil {
		return err
	}
	joined.PackRows(s.session(sources), first)
	joined.MoveColumns(s.session(destinations).Base)
	return s.cells.addPiece(q, joined, s.buf)
}
