package cuda

import (
	"context"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"

	"github.com/penstock-db/penstock/plugins"
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
	case plugins.Restore, plugins.Gather, plugins.Deliver:
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
		return s.run(ctx, c)
	case plugins.Init:
		return s.start(ctx)
	case plugins.Restore:
		return s.restore(ctx, c.Iteration)
	case plugins.Deliver:
		return s.deliver(ctx, c)
	}
	return s.goOn(ctx, o.command)
}

// order says which commands make sense now.
func (s *session) order() kit.Order {
	return kit.Order{Program: s.program != nil, Plan: s.plan, Started: s.program != nil && s.program.started}
}

// goOn obeys the commands by which a program goes on.
func (s *session) goOn(ctx context.Context, c plugins.Command) (*stream.Work, error) {
	switch c.Op {
	case plugins.Step:
		return s.step(c.Chunk)
	case plugins.Apply:
		return s.apply(ctx)
	case plugins.Gather:
		return s.gather(ctx, c)
	case plugins.Settle:
		return s.settle(ctx, c)
	}
	return s.iterate(ctx, c)
}
