package reference

import (
	"context"
	"errors"
	"time"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// session is one run. Compile comes first, then one goroutine is in Execute.
type session struct {
	job        plugins.Job
	task       plugins.Task
	procedure  *algorithms.Algorithm // of the task, when it is one
	directions []chunk.Direction
	budget     budget
	chunks     map[uint32]*resident

	columns map[string]algorithms.Values // in the arena
	active  []uint64                     // in the arena

	program   *algorithms.Interpreter // after Init
	iteration plugins.Iteration
}

var (
	errNotResident = errors.New("it is not resident")
	errBeforeInit  = errors.New("there is no state before Init")
)

// Execute does one command after the other.
func (s *session) Execute(ctx context.Context, commands <-chan plugins.Command, emit func(plugins.Event)) error {
	for {
		select {
		case <-ctx.Done():
			return canceled(ctx)
		case c, more := <-commands:
			if !more {
				return nil
			}
			event := plugins.Event{Seq: c.Seq}
			began := time.Now()
			err := s.do(ctx, c, &event, emit)
			event.Done, event.Err, event.Compute = true, err, time.Since(began)
			event.Resident, event.Peak = s.budget.resident, s.budget.peak
			emit(event)
			if err != nil {
				return err
			}
		}
	}
}

// do obeys c. It leaves what there is to tell in event, or emits it on the way.
func (s *session) do(ctx context.Context, c plugins.Command, event *plugins.Event, emit func(plugins.Event)) error {
	switch c.Op {
	case plugins.Upload:
		return s.upload(c)
	case plugins.Evict:
		return s.evict(c)
	case plugins.Init:
		return s.init(event)
	case plugins.Step:
		return s.step(c, event)
	case plugins.Apply:
		return s.apply(event)
	case plugins.Iterate:
		return s.iterate(ctx, event, emit)
	case plugins.Call:
		return s.call()
	}
	return plugins.Errorf(plugins.KindInvalid, "unknown command %d", c.Op)
}

func (s *session) init(event *plugins.Event) (err error) {
	if s.task.Program == nil {
		return plugins.Errorf(plugins.KindInvalid, "a procedure has no state")
	}
	g := &algorithms.Graph{
		Directed: s.job.Graph.Directed,
		IDs:      s.ids(),
		Out:      s.degrees("out_degree"),
		In:       s.degrees("in_degree"),
	}
	if s.program, err = algorithms.NewInterpreter(g, s.task.Program); err != nil {
		return &plugins.Error{Kind: plugins.KindInvalid, Chunk: -1, Err: err}
	}
	s.iteration = plugins.Iteration{}
	s.tell(event, s.job.Graph.Vertices == 0)
	return nil
}

func (s *session) step(c plugins.Command, event *plugins.Event) error {
	r := s.chunks[c.Chunk]
	switch {
	case s.program == nil:
		return bad(plugins.KindInvalid, c, errBeforeInit)
	case r == nil:
		return bad(plugins.KindInvalid, c, errNotResident)
	}
	event.Edges = uint64(r.chunk.Edges())
	return s.program.Send(s.lists(r.chunk))
}

func (s *session) apply(event *plugins.Event) error {
	if s.program == nil {
		return plugins.Errorf(plugins.KindInvalid, "%w", errBeforeInit)
	}
	change, settled, err := s.program.Apply()
	s.iteration.Number++
	s.iteration.Change = change
	s.tell(event, settled)
	return err
}

// tell writes state and active set out and puts the iteration into event.
func (s *session) tell(event *plugins.Event, settled bool) {
	s.write(s.program.State(), s.program.Active())
	s.iteration.Active = 0
	for _, is := range s.program.Active() {
		if is {
			s.iteration.Active++
		}
	}
	p := s.task.Program
	spent := s.iteration.Number >= p.Bound(s.job.Graph.Vertices)
	s.iteration.Converged = spent || settled && !p.Exactly
	it := s.iteration
	event.Iteration = &it
}

// iterate looks at ctx once an iteration.
func (s *session) iterate(ctx context.Context, event *plugins.Event, emit func(plugins.Event)) error {
	if s.program == nil {
		return plugins.Errorf(plugins.KindInvalid, "%w", errBeforeInit)
	}
	for !s.iteration.Converged {
		for _, c := range s.resident() {
			event.Edges += uint64(c.Edges())
			if err := s.program.Send(s.lists(c)); err != nil {
				return err
			}
		}
		if err := s.apply(event); err != nil {
			return err
		}
		event.Resident, event.Peak = s.budget.resident, s.budget.peak
		emit(*event)
		if ctx.Err() != nil {
			return canceled(ctx)
		}
	}
	return nil
}

func (s *session) call() error {
	if s.procedure == nil {
		return plugins.Errorf(plugins.KindInvalid, "the task is no procedure")
	}
	results, err := s.procedure.Oracle(s.graph(), s.task.Args)
	if err != nil {
		return &plugins.Error{Kind: plugins.KindInvalid, Chunk: -1, Err: err}
	}
	s.write(results, nil)
	return nil
}

// Close is called when Execute has returned. The arena is the host's.
func (s *session) Close() error {
	for _, r := range s.chunks {
		r.chunk.Release()
	}
	clear(s.chunks)
	return nil
}

// bad is an error about the chunk of a command.
func bad(kind plugins.Kind, c plugins.Command, err error) error {
	return &plugins.Error{Kind: kind, Chunk: int64(c.Chunk), Err: err}
}

func canceled(ctx context.Context) error {
	return &plugins.Error{Kind: plugins.KindCanceled, Chunk: -1, Err: context.Cause(ctx)}
}

// bools reads bytes that hold 0 or 1, as bool columns do.
func bools(b []byte) []bool {
	return unsafe.Slice((*bool)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}
