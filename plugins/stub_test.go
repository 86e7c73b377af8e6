package plugins

import "context"

// stub is a Device whose sessions do what a test says.
type stub struct {
	compile func(Job, Task) (Plan, error)
	execute func(context.Context, Job, <-chan Command, func(Event)) error
	close   func(Job) error
}

func (stub) Describe(context.Context) (Description, error) {
	return Description{Name: "stub", Version: "1.2.3", Threads: 3, Procedures: []string{"lcc"}, Programs: []string{"bfs"}},
		nil
}

func (s stub) Open(_ context.Context, job Job) (Session, error) {
	if job.Graph.Name == "refused" {
		return nil, Errorf(KindUnsupported, "no such graph")
	}
	return stubSession{s, job}, nil
}

type stubSession struct {
	stub
	job Job
}

func (s stubSession) Compile(_ context.Context, task Task) (Plan, error) {
	return s.compile(s.job, task)
}

func (s stubSession) Execute(ctx context.Context, commands <-chan Command, emit func(Event)) error {
	return s.execute(ctx, s.job, commands, emit)
}

func (s stubSession) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close(s.job)
}

// echo answers every command with its chunk as Bytes, and fails at chunk 13.
func echo(ctx context.Context, _ Job, commands <-chan Command, emit func(Event)) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case c, ok := <-commands:
			if !ok {
				return nil
			}
			if c.Chunk == 13 {
				err := &Error{Kind: KindChunk, Chunk: 13, Err: context.DeadlineExceeded}
				emit(Event{Seq: c.Seq, Done: true, Err: err})
				return err
			}
			emit(Event{Seq: c.Seq, Done: true, Bytes: uint64(c.Chunk)})
		}
	}
}
