package cuda

import (
	"context"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"time"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/kit"
)

// settles refuses chunks by their least weight, with which the program would go on settling for ever; nil: any will do.
func (p *program) settles() func(least float64) error {
	if !p.settling || p.spec.Diverged == "" {
		return nil
	}
	return func(least float64) error { return shape.SettlesWith(p.spec, least) }
}

// settle lets the active vertices of a set send, and those of the set who are reached by that, and so
// on: for so many rounds (0: any number), or until none of them is active. Who sent is active
// no more; who was reached is, until it sends.
func (s *session) settle(ctx context.Context, c plugins.Command) (*stream.Work, error) {
	p := s.program
	set, err := kit.OpenBitmap(s.job.Arena, c.At, p.n)
	if err != nil {
		return nil, err
	}
	if err := s.streams.CopyIn(ctx, s.streams.Computing, p.at(p.layout.set), memory.Bytes(set)); err != nil {
		return nil, err
	}
	rounds := int(c.Rounds)
	if rounds == 0 {
		rounds = p.spec.Bound(uint64(p.n))
	}
	var took time.Duration
	done := 0
	for ; done < rounds; done++ {
		sent, err := s.round(ctx, &took)
		if err != nil {
			return nil, err
		}
		if !sent {
			break
		}
	}
	a, err := s.told(ctx, func() error { return p.template.Improve(s.streams.Computing, p.kernel) },
		func() { p.iteration += done })
	if err != nil {
		return nil, err
	}
	finish := a.Finish
	a.Finish = func(e *plugins.Event) error {
		e.Compute += took
		return finish(e)
	}
	return a, nil
}

// round is one of Settle. It tells whether anybody sent.
func (s *session) round(ctx context.Context, took *time.Duration) (bool, error) {
	p, letter := s.program, s.streams.Mail.Take()
	defer s.streams.Mail.Give(letter)
	departing := p.at(p.layout.departing)
	a, err := s.streams.Timed(s.streams.Computing, func() error {
		if err := p.template.Depart(s.streams.Computing, p.kernel, p.at(p.layout.set), departing); err != nil {
			return err
		}
		if err := s.streams.Computing.CopyOut(memory.BytesOf(&letter.Counters), p.at(p.layout.counters)); err != nil {
			return err
		}
		p.prepared = false
		if err := p.sendAlong(s, departing, s.chunks.InOrder()...); err != nil {
			return err
		}
		return p.template.Improve(s.streams.Computing, p.kernel)
	})
	if err != nil {
		return false, err
	}
	if err := s.await(ctx, a.Done); err != nil {
		return false, err
	}
	p.newer = true
	lasted, err := s.streams.Took(a)
	*took += lasted
	return letter.Counters.Active > 0, err
}
