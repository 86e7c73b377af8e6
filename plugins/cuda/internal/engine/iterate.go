package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// Iterate sends along the edges of all chunks and applies, until there is nothing more to do. All commands before it
// have been answered: the chunks are sound, and it is known where the program stands.
func (e *Engine) Iterate(ctx context.Context, s Session, c plugins.Command, chunks []*residency.Chunk) (*stream.Work,
	error,
) {
	total := plugins.Event{Seq: c.Seq}
	solved, err := e.solve(ctx, s, chunks, &total)
	if err != nil {
		return nil, err
	}
	for !solved && !e.progress.report(e.program).Converged {
		if err := e.iteration(ctx, s, chunks, &total); err != nil {
			return nil, err
		}
		total.Resident, total.Peak = e.Budget.Used, e.Budget.Peak
		s.Emit(total)
	}
	return &stream.Work{Finish: func(event *plugins.Event) error {
		*event = total
		if event.Done = true; !solved {
			event.Iteration = e.progress.report(e.program)
		}
		p, q := e.program, e.Streams
		if err := q.CopyOut(ctx, q.Computing, memory.Bytes(p.Active), e.at(p.Layout.Active)); err != nil {
			return err
		}
		return e.Publish(ctx)
	}}, nil
}

// iteration is one of Iterate, waited for. It adds to what is told of all.
func (e *Engine) iteration(ctx context.Context, s Session, chunks []*residency.Chunk, total *plugins.Event) error {
	q, letter := e.Streams, e.Streams.Mail.Take()
	defer q.Mail.Give(letter)
	w, err := q.Timed(q.Computing, func() error {
		if err := e.sendAlong(e.at(e.program.Layout.Active), chunks...); err != nil {
			return err
		}
		if err := e.turn(); err != nil {
			return err
		}
		return e.copyCounters(letter)
	})
	if err != nil {
		return err
	}
	if err := s.Await(ctx, w.Done); err != nil {
		return err
	}
	took, err := q.Took(w)
	r := &e.progress
	r.newer = true
	r.iteration++
	total.Compute += took
	total.Edges += r.count(letter.Counters)
	total.Iteration = r.report(e.program)
	return err
}
