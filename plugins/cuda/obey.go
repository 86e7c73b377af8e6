package cuda

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/engine"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/kit"
)

// obey puts a command into the card's queues. Some it does to the end: those that ask the card again and again.
func (s *session) obey(ctx context.Context, o *order) (*stream.Work, error) {
	for s.streams.Mail.IsEmpty() && len(s.answers) > 0 {
		if err := s.wait(ctx, s.answers[0]); err != nil {
			return nil, err
		}
	}
	if err := s.order().Check(o.command.Op); err != nil {
		return nil, err
	}
	switch o.command.Op {
	case plugins.Restore, plugins.Gather, plugins.Deliver, plugins.Iterate, plugins.Call:
		if err := s.drain(ctx); err != nil {
			return nil, err
		}
	}
	switch c := o.command; c.Op {
	case plugins.Upload:
		return s.upload(ctx, o)
	case plugins.Evict:
		return s.chunks.Evict(c.Chunk)
	case plugins.Call:
		return s.call.Run(ctx, s.chunks.InOrder(), func(fraction float64) {
			s.emit(plugins.Event{Seq: c.Seq, Fraction: fraction, Resident: s.budget.Used, Peak: s.budget.Peak})
		})
	}
	return s.run(ctx, o.command)
}

// order says which commands make sense now.
func (s *session) order() kit.Order {
	return kit.Order{Program: s.program != nil, Plan: s.plan, Started: s.program != nil && s.program.Started()}
}

// run obeys the commands that run a program.
func (s *session) run(ctx context.Context, c plugins.Command) (*stream.Work, error) {
	p, host := s.program, engine.Session{Await: s.await, Emit: s.emit}
	switch c.Op {
	case plugins.Init:
		return p.Init(ctx)
	case plugins.Restore:
		return p.Restore(ctx, c.Iteration)
	case plugins.Step:
		chunk, err := s.chunks.Find(c.Chunk)
		if err != nil {
			return nil, err
		}
		return p.Step(chunk)
	case plugins.Apply:
		return p.Apply(ctx)
	case plugins.Gather:
		return p.Gather(ctx, c)
	case plugins.Deliver:
		return p.Deliver(ctx, c)
	case plugins.Settle:
		return p.Settle(ctx, host, c, s.chunks.InOrder())
	}
	return p.Iterate(ctx, host, c, s.chunks.InOrder())
}
