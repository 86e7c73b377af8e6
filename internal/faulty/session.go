package faulty

import (
	"context"
	"sync"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

type session struct {
	good   plugins.Session
	job    plugins.Job
	layout plugins.Layout
	script *script

	answered chan struct{} // a passed command has been obeyed

	mu     sync.Mutex // protects the fields below
	faults map[uint64]action
	last   plugins.Event // of the good session: what a lie must agree with
	state  plugins.Iteration
}

func (s *session) Compile(ctx context.Context, task plugins.Task) (plugins.Plan, error) {
	a := s.script.meet("compile")
	s.layout = task.Layout
	plan, err := s.good.Compile(ctx, task)
	if a == misstate {
		plan.Fixed, plan.Kept = ^uint64(0), ^uint64(0)
	}
	return plan, err
}

func (s *session) Close() error {
	s.script.meet("close")
	return s.good.Close()
}

// Execute passes commands on to the good session, except those that it lies about, and
// spoils events on their way back. A command waits until the one before has been obeyed:
// a lie told earlier would give away memory that is in use.
//
//	commands ──▶ pass ──▶ good.Execute ──▶ spoil ──▶ emit
//	              └────── lie: done ─────────────────▶
func (s *session) Execute(ctx context.Context, commands <-chan plugins.Command, emit func(plugins.Event)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.faults, s.answered = map[uint64]action{}, make(chan struct{}, 1)
	passed := make(chan plugins.Command)
	go s.pass(ctx, commands, passed, emit)
	return s.good.Execute(ctx, passed, func(e plugins.Event) {
		emit(s.spoil(e))
		if e.Done {
			s.answered <- struct{}{}
		}
	})
}

// pass ends to where from ends. Where ctx does, it must not: the good session would see either end, and which one it
// tells of would be left to chance.
func (s *session) pass(ctx context.Context, from <-chan plugins.Command, to chan<- plugins.Command,
	emit func(plugins.Event)) {
	for {
		var c plugins.Command
		var more bool
		select {
		case c, more = <-from:
		case <-ctx.Done():
			return
		}
		if !more {
			close(to)
			return
		}
		a := s.script.meet(name(c.Op))
		if a == lie && (c.Op == plugins.Upload || c.Op == plugins.Evict || c.Op == plugins.Step) {
			emit(s.pretend(c))
			continue
		}
		if a == stall && c.Op == plugins.Settle {
			emit(s.pretendToSettle(c))
			continue
		}
		s.mu.Lock()
		s.faults[c.Seq] = a
		s.mu.Unlock()
		select {
		case to <- c:
		case <-ctx.Done():
			return
		}
		select {
		case <-s.answered:
		case <-ctx.Done():
			return
		}
	}
}

func name(op plugins.Op) string {
	if op >= plugins.Upload && op <= plugins.Pass {
		return commands[op-plugins.Upload]
	}
	return ""
}

// pretend is the answer of a device that has done c.
func (s *session) pretend(c plugins.Command) plugins.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return plugins.Event{Seq: c.Seq, Done: true, Resident: s.last.Resident, Peak: s.last.Peak}
}

// pretendToSettle is pretend with the state that was there before.
func (s *session) pretendToSettle(c plugins.Command) plugins.Event {
	e := s.pretend(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.state
	e.Iteration = &state
	return e
}

// spoil does to an event what the script says of its command.
func (s *session) spoil(e plugins.Event) plugins.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = e
	if e.Iteration != nil {
		s.state = *e.Iteration
	}
	switch a := s.faults[e.Seq]; {
	case a == exceed:
		e.Peak = s.job.Budget + 1
		if s.job.Budget == 0 {
			e.Peak = 1 << 60
		}
		e.Resident = e.Peak
	case a == misstate:
		e.Edges, e.Bytes, e.Transfer = 1<<63, 1<<63, -1
		e.Iteration = &plugins.Iteration{Number: -1, Active: 1 << 60, Cycle: &plugins.Cycle{Vertices: []uint64{1 << 60}}}
	case a == lie && e.Done:
		s.falsify()
	}
	return e
}

// falsify changes one value of the last column, which is never an input.
func (s *session) falsify() {
	if s.job.Graph.Vertices == 0 || len(s.layout.Columns) == 0 {
		return
	}
	column, v := s.layout.Columns[len(s.layout.Columns)-1], s.job.Graph.Vertices/2
	switch column.Type {
	case algorithms.Bool:
		if b, err := s.job.Arena.Bytes(column.Range); err == nil {
			b[v] ^= 1
		}
	case algorithms.Float:
		if f, err := s.job.Arena.Float64s(column.Range); err == nil {
			f[v] = 1/(1+f[v]*f[v]) - 3 // no x is this, infinity neither
		}
	default:
		if i, err := s.job.Arena.Int64s(column.Range); err == nil {
			i[v] ^= 1
		}
	}
}
