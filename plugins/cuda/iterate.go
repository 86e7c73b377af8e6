package cuda

import (
	"context"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/kit"
)

// start is Init.
func (s *session) start(ctx context.Context) (*stream.Work, error) {
	p := s.program
	if err := p.takeInputs(ctx, s); err != nil {
		return nil, err
	}
	p.started, p.newer = true, true
	p.prepared = false
	return s.told(ctx, func() error { return p.template.Init(s.streams.Computing, p.kernel) }, func() { p.iteration = 0 })
}

// takeInputs copies the columns that the host has filled, once.
func (p *program) takeInputs(ctx context.Context, s *session) error {
	for _, c := range p.columns[:len(p.columns)-len(p.spec.State)] {
		if p.hasInputs {
			break
		}
		if err := s.streams.CopyIn(ctx, s.streams.Computing, p.at(c.at), c.bytes); err != nil {
			return err
		}
	}
	p.hasInputs = true
	return nil
}

// step sends along the edges of a chunk.
func (s *session) step(number uint32) (*stream.Work, error) {
	r, err := s.chunks.Find(number)
	if err != nil {
		return nil, err
	}
	p, letter := s.program, s.streams.Mail.Take()
	a, err := s.streams.Timed(s.streams.Computing, func() error {
		if err := p.sendAlong(s, p.at(p.layout.active), r); err != nil {
			return err
		}
		return s.streams.Computing.CopyOut(memory.BytesOf(&letter.Counters), p.at(p.layout.counters))
	})
	if err != nil {
		return nil, err
	}
	a.Finish = func(e *plugins.Event) error {
		e.Edges, p.sent = letter.Counters.Edges-p.sent, letter.Counters.Edges
		s.streams.Mail.Give(letter)
		return nil
	}
	return a, nil
}

// sendAlong brings the messages that senders send along chunks' edges to the accumulators, in the order of the chunks,
// which is that of sums.
func (p *program) sendAlong(s *session, senders driver.Pointer, chunks ...*residency.Chunk) error {
	at := make([]*kernels.Resident, len(chunks))
	for i, r := range chunks {
		if err := r.Await(s.streams.Computing); err != nil {
			return err
		}
		at[i] = &r.Resident
	}
	if err := p.ready(s); err != nil {
		return err
	}
	return p.template.StepAll(s.streams.Computing, p.kernel, senders, at)
}

// ready has the kernels make what they need once an iteration: aggregates, and messages where these are of the source
// alone.
func (p *program) ready(s *session) error {
	if p.prepared {
		return nil
	}
	p.prepared = true
	return p.template.Prepare(s.streams.Computing, p.kernel)
}

// apply ends an iteration.
func (s *session) apply(ctx context.Context) (*stream.Work, error) {
	s.program.newer = true
	return s.told(ctx, s.program.turn(s), func() { s.program.iteration++ })
}

// turn puts what ends an iteration into the queue.
func (p *program) turn(s *session) func() error {
	return func() error {
		if err := p.ready(s); err != nil {
			return err
		}
		p.prepared = false
		return p.template.Apply(s.streams.Computing, p.kernel, p.share.Base, p.share.End())
	}
}

// told does something after which the host is told of the program's state.
func (s *session) told(ctx context.Context, do func() error, then func()) (*stream.Work, error) {
	p, letter := s.program, s.streams.Mail.Take()
	a, err := s.streams.Timed(s.streams.Computing, func() error {
		if err := do(); err != nil {
			return err
		}
		if err := s.streams.Computing.CopyOut(p.mirror[:8*len(p.active)], p.at(p.layout.active)); err != nil {
			return err
		}
		return s.streams.Computing.CopyOut(memory.BytesOf(&letter.Counters), p.at(p.layout.counters))
	})
	if err != nil {
		return nil, err
	}
	a.Finish = func(e *plugins.Event) error {
		then()
		p.counters = letter.Counters
		s.streams.Mail.Give(letter)
		e.Edges, p.sent = p.counters.Edges-p.sent, p.counters.Edges
		copy(memory.Bytes(p.active), p.mirror)
		e.Iteration = p.report()
		if p.restorable || e.Iteration.Converged {
			return p.publish(ctx, s)
		}
		return nil
	}
	return a, nil
}

// publish copies the state to the arena, where the card has a newer one.
func (p *program) publish(ctx context.Context, s *session) error {
	if !p.newer {
		return nil
	}
	p.newer = false
	for _, c := range p.state() {
		if err := s.streams.CopyOut(ctx, s.streams.Computing, c.bytes, p.at(c.at)); err != nil {
			return err
		}
	}
	return nil
}

// report says where the run stands.
func (p *program) report() *plugins.Iteration {
	it := &plugins.Iteration{Number: p.iteration, Active: p.counters.Active, Change: p.counters.Change}
	if p.settling {
		it.Converged = it.Active == 0
	} else {
		it.Converged = kit.Converged(p.spec, p.n, p.iteration, it.Active, it.Change)
	}
	return it
}

// iterate sends along the edges of all chunks and applies, until there is nothing more to do.
func (s *session) iterate(ctx context.Context, c plugins.Command) (*stream.Work, error) {
	p, total := s.program, plugins.Event{Seq: c.Seq}
	if err := s.drain(ctx); err != nil { // all chunks are sound, and it is known where the program stands
		return nil, err
	}
	solved, err := s.solve(ctx, &total)
	if err != nil {
		return nil, err
	}
	for !solved && !p.report().Converged {
		if err := s.lap(ctx, &total); err != nil {
			return nil, err
		}
		total.Resident, total.Peak = s.budget.Used, s.budget.Peak
		s.emit(total)
	}
	return &stream.Work{Finish: func(e *plugins.Event) error {
		*e = total
		if e.Done = true; !solved {
			e.Iteration = p.report()
		}
		if err := s.streams.CopyOut(ctx, s.streams.Computing, memory.Bytes(p.active), p.at(p.layout.active)); err != nil {
			return err
		}
		return p.publish(ctx, s)
	}}, nil
}

// lap is one iteration of Iterate, waited for.
func (s *session) lap(ctx context.Context, total *plugins.Event) error {
	p, letter := s.program, s.streams.Mail.Take()
	defer s.streams.Mail.Give(letter)
	a, err := s.streams.Timed(s.streams.Computing, func() error {
		if err := p.sendAlong(s, p.at(p.layout.active), s.chunks.InOrder()...); err != nil {
			return err
		}
		if err := p.turn(s)(); err != nil {
			return err
		}
		return s.streams.Computing.CopyOut(memory.BytesOf(&letter.Counters), p.at(p.layout.counters))
	})
	if err != nil {
		return err
	}
	if err := s.await(ctx, a.Done); err != nil {
		return err
	}
	took, err := s.streams.Took(a)
	p.counters, p.newer = letter.Counters, true
	p.iteration++
	total.Compute += took
	total.Edges += p.counters.Edges - p.sent
	p.sent = p.counters.Edges
	total.Iteration = p.report()
	return err
}
