package cpu

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/inplace"
)

// exchange obeys Gather and Deliver: what came along the edges of one session goes to a column, and
// from there to another that has other edges.
func (s *session) exchange(ctx context.Context, c plugins.Command) (plugins.Event, error) {
	p := s.program
	column, err := inplace.OpenColumn(s.job.Arena, p.AccumulatorType(), c.At, p.Vertices())
	if err != nil {
		return plugins.Event{}, plugins.Errorf(plugins.KindInvalid, "accumulators: %w", err)
	}
	var among []uint64
	if c.Among != (arena.Range{}) {
		if among, err = inplace.OpenBitmap(s.job.Arena, c.Among, p.Vertices()); err != nil {
			return plugins.Event{}, err
		}
	}
	switch {
	case !p.Partial():
		return plugins.Event{}, plugins.Errorf(plugins.KindInvalid, "Gather and Deliver need a task that is a part")
	case c.Op == plugins.Gather:
		return plugins.Event{}, p.Gather(ctx, column, among)
	case p.Settling():
		return s.settled(0, p.Overhear(ctx, column, among))
	}
	return plugins.Event{}, p.Deliver(ctx, column, among)
}
