package cuda

import (
	"context"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// restore goes on from the state and the active set that an iteration of an earlier session
// has left, or another session of the same program. Accumulators it finds empty.
func (s *session) restore(ctx context.Context, it plugins.Iteration) (*stream.Work, error) {
	p := s.program
	if err := kit.CheckRestore(p.spec, p.settling, p.n, p.active, it); err != nil {
		return nil, err
	}
	if err := p.takeInputs(ctx, s); err != nil {
		return nil, err
	}
	a, err := s.streams.Timed(s.streams.Computing, func() error { return p.takeState(ctx, s) })
	if err != nil {
		return nil, err
	}
	p.started, p.newer, p.iteration = true, false, it.Number
	p.counters.Active, p.counters.Change = it.Active, it.Change
	told := p.report()
	a.Finish = func(e *plugins.Event) error {
		e.Iteration = told
		return nil
	}
	return a, nil
}

// takeState copies state and active set to the card, and empties the accumulators.
func (p *program) takeState(ctx context.Context, s *session) error {
	for _, c := range p.state() {
		if err := s.streams.CopyIn(ctx, s.streams.Computing, p.at(c.at), c.bytes); err != nil {
			return err
		}
	}
	return p.takeActive(ctx, s)
}

func (p *program) takeActive(ctx context.Context, s *session) error {
	if err := s.streams.CopyIn(ctx, s.streams.Computing, p.at(p.layout.active), memory.Bytes(p.active)); err != nil {
		return err
	}
	p.prepared = false
	return p.template.Forget(s.streams.Computing, p.kernel)
}
