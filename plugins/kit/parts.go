package kit

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// Exchanger is a Program that obeys plugins.Gather and plugins.Deliver: the extension that
// a task asks for by Task.Part. The vertices concerned are a bitmap; nil: all.
type Exchanger interface {
	// Gather writes what has come since the last Apply to a column, and forgets it.
	Gather(ctx context.Context, to algorithms.Values, among []uint64) error
	// Deliver takes a column that another session has gathered or, in a task that settles, its
	// first state column, which it may be writing.
	Deliver(ctx context.Context, from algorithms.Values, among []uint64) error
}

// exchange obeys Gather and Deliver.
func (s *session) exchange(ctx context.Context, c plugins.Command) (event plugins.Event, err error) {
	program, n := s.compiled.Program.(Exchanger), s.vertices()
	column, err := openColumn(s.job.Arena, algorithms.Column{Type: shape.Type(s.task.Program.Process.Checked)}, c.At, n)
	if err != nil {
		return event, plugins.Errorf(plugins.KindInvalid, "the column to exchange: %w", err)
	}
	var among []uint64
	if c.Among != (arena.Range{}) {
		if among, err = OpenBitmap(s.job.Arena, c.Among, n); err != nil {
			return event, err
		}
	}
	if c.Op == plugins.Gather {
		return event, program.Gather(ctx, column, among)
	}
	if err = program.Deliver(ctx, column, among); s.task.Settle {
		event.Iteration = s.settled()
	}
	return event, err
}
