package cuda

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/commands"
	"github.com/penstock-db/penstock/plugins/cuda/internal/engine"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/internal/check"
)

// Obey puts a command into the card's queues. Some it does to the end: those that ask the card again and again.
func (s *session) Obey(ctx context.Context, l *commands.Loop, o *commands.Order) (*stream.Work, error) {
	c := o.Command
	if err := s.order().Check(c.Op); err != nil {
		return nil, err
	}
	switch c.Op {
	case plugins.Restore, plugins.Gather, plugins.Deliver, plugins.Iterate, plugins.Call:
		if err := l.Drain(ctx); err != nil { // they look at what commands before them have left
			return nil, err
		}
	}
	switch c.Op {
	case plugins.Upload:
		return l.Upload(ctx, o)
	case plugins.Evict:
		return s.chunks.Evict(c.Chunk)
	case plugins.Call:
		return s.call.Run(ctx, s.chunks.InOrder(), func(fraction float64) {
			l.Emit(plugins.Event{Seq: c.Seq, Fraction: fraction, Resident: s.budget.Used, Peak: s.budget.Peak})
		})
	}
	if s.network != nil {
		return s.compute(ctx, c)
	}
	return s.run(ctx, engine.Session{Await: l.Await, Emit: l.Emit}, c)
}

// compute obeys the commands that compute a network.
func (s *session) compute(ctx context.Context, c plugins.Command) (*stream.Work, error) {
	switch c.Op {
	case plugins.Init:
		return s.network.Init(ctx)
	case plugins.Step:
		chunk, err := s.chunks.Find(c.Chunk)
		if err != nil {
			return nil, err
		}
		return s.network.Step(chunk)
	case plugins.Apply:
		return s.network.Apply(ctx)
	}
	dropout := dataflow.Dropout{Seed: c.Seed, Epoch: int(c.Epoch)}
	switch c.Op {
	case plugins.Rows:
		return s.network.Pieces().Rows(ctx, int(c.Pass), c.Piece, dropout)
	case plugins.Cell:
		return s.network.Pieces().Cell(ctx, int(c.Pass), c.Piece, dropout)
	case plugins.Reduce, plugins.Reduced:
		return nil, plugins.Errorf(plugins.KindInvalid, "the device is the only one to compute the network")
	}
	if s.network.IsBatched(int(c.Pass)) {
		return s.network.Batch(ctx, int(c.Pass), c.Batch, dropout)
	}
	return s.network.Pass(ctx, int(c.Pass), dropout)
}

// order says which commands make sense now.
func (s *session) order() check.Order {
	return check.Order{Program: s.program != nil || s.network != nil, Plan: s.plan,
		Started: s.program != nil && s.program.Started() || s.network != nil && s.network.Started()}
}

// run obeys the commands that run a program.
func (s *session) run(ctx context.Context, host engine.Session, c plugins.Command) (*stream.Work, error) {
	p := s.program
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
