package engine

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Settle lets the active vertices of a set send, and those of the set that are reached by that, and so
// on: for so many rounds (0: any number), or until none of them is active. A vertex that has sent is active
// no more; a vertex that was reached is, until it sends.
func (e *Engine) Settle(ctx context.Context, s Session, c plugins.Command, chunks []*residency.Chunk) (*stream.Work,
	error,
) {
	p, q := e.program, e.Streams
	set, err := kit.OpenBitmap(e.Arena, c.At, p.N)
	if err != nil {
		return nil, err
	}
	if err := q.CopyIn(ctx, q.Computing, e.at(p.Layout.Set), memory.Bytes(set)); err != nil {
		return nil, err
	}
	rounds := int(c.Rounds)
	if rounds == 0 {
		rounds = p.Spec.Bound(uint64(p.N))
	}
	var took time.Duration
	done := 0
	for ; done < rounds; done++ {
		sent, lasted, err := e.round(ctx, s, chunks)
		if err != nil {
			return nil, err
		}
		if took += lasted; !sent {
			break
		}
	}
	w, err := e.told(ctx, func() error { return p.Template.Improve(q.Computing, e.kernel) },
		func() { e.progress.iteration += done })
	if err != nil {
		return nil, err
	}
	finish := w.Finish
	w.Finish = func(event *plugins.Event) error {
		event.Compute += took
		return finish(event)
	}
	return w, nil
}

// round is one of Settle. It tells whether a vertex sent, and how long the card took.
func (e *Engine) round(ctx context.Context, s Session, chunks []*residency.Chunk) (sent bool, took time.Duration,
	err error,
) {
	p, q, letter := e.program, e.Streams, e.Streams.Mail.Take()
	defer q.Mail.Give(letter)
	departing := e.at(p.Layout.Departing)
	w, err := q.Timed(q.Computing, func() error {
		if err := p.Template.Depart(q.Computing, e.kernel, e.at(p.Layout.Set), departing); err != nil {
			return err
		}
		if err := e.copyCounters(letter); err != nil {
			return err
		}
		e.progress.prepared = false
		if err := e.sendAlong(departing, chunks...); err != nil {
			return err
		}
		return p.Template.Improve(q.Computing, e.kernel)
	})
	if err != nil {
		return false, 0, err
	}
	if err := s.Await(ctx, w.Done); err != nil {
		return false, 0, err
	}
	e.progress.newer = true
	took, err = q.Took(w)
	return letter.Counters.Active > 0, took, err
}
