package cuda

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
)

// obey puts a command into the card's queues. Some it does to the end: those that ask the card again and again.
func (s *session) obey(ctx context.Context, o *order) (*answer, error) {
	for len(s.mail.spare) == 0 && len(s.answers) > 0 {
		if err := s.wait(ctx, s.answers[0]); err != nil {
			return nil, err
		}
	}
	switch o.command.Op {
	case plugins.Restore, plugins.Gather, plugins.Deliver:
		if err := s.drain(ctx); err != nil {
			return nil, err
		}
	}
	switch c := o.command; {
	case c.Op == plugins.Upload:
		return s.upload(ctx, o)
	case c.Op == plugins.Evict:
		return s.evict(c)
	case c.Op == plugins.Call && s.call != nil:
		return s.run(ctx, c)
	case c.Op < plugins.Init || c.Op > plugins.Deliver || c.Op == plugins.Call || s.program == nil:
		return nil, plugins.Errorf(plugins.KindInvalid, "command %d is none for this task", c.Op)
	case c.Op == plugins.Init:
		return s.start(ctx)
	case c.Op == plugins.Restore:
		return s.restore(ctx, c.Iteration)
	case !s.program.started:
		return nil, errNotStarted
	case c.Op == plugins.Deliver:
		return s.deliver(ctx, c)
	case s.program.settling != (c.Op == plugins.Settle):
		return nil, errOtherwise
	}
	return s.goOn(ctx, o.command)
}

// goOn obeys the commands by which a program goes on.
func (s *session) goOn(ctx context.Context, c plugins.Command) (*answer, error) {
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
