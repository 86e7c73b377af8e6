package link

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/plugins"
)

// scripted is a session, and its device, that answers as it is told to.
type scripted struct {
	answer func(plugins.Command, func(plugins.Event)) error
	deaf   bool // does not answer Describe
}

func (s *scripted) Execute(ctx context.Context, commands <-chan plugins.Command, emit func(plugins.Event)) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case c, ok := <-commands:
			if !ok {
				return nil
			}
			if err := s.answer(c, emit); err != nil {
				return err
			}
		}
	}
}

func (s *scripted) Compile(context.Context, plugins.Task) (plugins.Plan, error) {
	return plugins.Plan{}, nil
}
func (s *scripted) Close() error                                               { return nil }
func (s *scripted) Open(context.Context, plugins.Job) (plugins.Session, error) { return s, nil }

func (s *scripted) Describe(ctx context.Context) (plugins.Description, error) {
	if s.deaf {
		<-ctx.Done()
		return plugins.Description{}, ctx.Err()
	}
	return plugins.Description{}, nil
}

// openTo opens a stream with s: 100 vertices, a budget of 1000 bytes.
func openTo(t *testing.T, s *scripted) *Stream { return openSession(t, s) }

func openSession(t *testing.T, s plugins.Session) *Stream {
	ctx, fail := context.WithCancelCause(t.Context())
	t.Cleanup(func() { fail(nil) })
	same := func(err error) error { return err }
	return Open(ctx, fail, Config{Session: s, Device: "faulty", Budget: 1000, Vertices: 100, Meters: []*meter.Meter{{}},
		Named: same, Diagnose: same,
		Progress: func(float64) {}, Done: func(plugins.Op, plugins.Event) {}})
}

func TestStream_EndsAtTheFirstViolation(t *testing.T) {
	iteration := func(n int) *plugins.Iteration { return &plugins.Iteration{Number: n} }
	for name, c := range map[string]struct {
		op    plugins.Op
		event plugins.Event // Seq 0: that of the command
		kind  plugins.Kind
	}{
		"another command":      {plugins.Step, plugins.Event{Seq: 77}, plugins.KindInternal},
		"peak over budget":     {plugins.Step, plugins.Event{Peak: 1001}, plugins.KindBudget},
		"resident over budget": {plugins.Step, plugins.Event{Resident: 1001}, plugins.KindBudget},
		"resident over peak":   {plugins.Step, plugins.Event{Resident: 10, Peak: 9}, plugins.KindInternal},
		"fraction over 1":      {plugins.Call, plugins.Event{Fraction: 1.5}, plugins.KindInternal},
		"negative cost":        {plugins.Step, plugins.Event{Compute: -time.Second}, plugins.KindInternal},
		"stray release":        {plugins.Step, plugins.Event{Released: true}, plugins.KindInternal},
		"stray iteration":      {plugins.Step, plugins.Event{Iteration: iteration(0)}, plugins.KindInternal},
		"skipped iteration":    {plugins.Apply, plugins.Event{Iteration: iteration(3)}, plugins.KindInternal},
		"too many active": {plugins.Init, plugins.Event{Iteration: &plugins.Iteration{Active: 101}},
			plugins.KindInternal},
		"stray epoch":   {plugins.Step, plugins.Event{Epoch: &plugins.Epoch{Number: 1}}, plugins.KindInternal},
		"stray work":    {plugins.Step, plugins.Event{Work: make([]plugins.Work, 1)}, plugins.KindInternal},
		"skipped epoch": {plugins.Call, plugins.Event{Epoch: &plugins.Epoch{Number: 2}}, plugins.KindInternal},
		"no iteration":  {plugins.Apply, plugins.Event{}, plugins.KindInternal},
		"its own error": {plugins.Step, plugins.Event{Err: plugins.Errorf(plugins.KindChunk, "rotten")},
			plugins.KindChunk},
	} {
		t.Run(name, func(t *testing.T) {
			stream := openTo(t, &scripted{answer: func(command plugins.Command, emit func(plugins.Event)) error {
				e := c.event
				if e.Done = true; e.Seq == 0 {
					e.Seq = command.Seq
				}
				emit(e)
				return nil
			}})
			_, err := stream.Do(plugins.Command{Op: c.op}, nil)
			if err == nil || plugins.KindOf(err) != c.kind {
				t.Errorf("error %v, want a %v", err, c.kind)
			}
		})
	}
}

func TestStream_SecondAnswerIsAViolation(t *testing.T) {
	stream := openTo(t, &scripted{answer: func(c plugins.Command, emit func(plugins.Event)) error {
		emit(plugins.Event{Seq: c.Seq, Done: true})
		emit(plugins.Event{Seq: c.Seq, Done: true})
		return nil
	}})
	stream.Do(plugins.Command{Op: plugins.Step}, nil)
	<-stream.ctx.Done()
	if err := context.Cause(stream.ctx); err == nil || plugins.KindOf(err) != plugins.KindInternal {
		t.Errorf("error %v", err)
	}
}

func TestStream_LeavingEarlyIsAViolation(t *testing.T) {
	stream := openTo(t, &scripted{answer: func(plugins.Command, func(plugins.Event)) error { return errLeft }})
	if _, err := stream.Do(plugins.Command{Op: plugins.Step}, nil); !errors.Is(err, errLeft) {
		t.Errorf("error %v", err)
	}
}

var errLeft = errors.New("left")

func TestStream_AddsUpCosts(t *testing.T) {
	stream := openTo(t, &scripted{answer: func(c plugins.Command, emit func(plugins.Event)) error {
		emit(plugins.Event{Seq: c.Seq, Edges: 3, Compute: time.Second, Peak: 10})
		emit(plugins.Event{Seq: c.Seq, Edges: 5, Compute: 2 * time.Second, Peak: 20, Done: true})
		return nil
	}})
	for range 2 {
		if _, err := stream.Do(plugins.Command{Op: plugins.Step}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := stream.Meters[0].Total(); got.Edges != 10 || got.Compute != 4*time.Second || got.Peak != 20 {
		t.Errorf("%+v", got)
	}
	if err := stream.Finish(); err != nil {
		t.Error(err)
	}
}

// A silent device that still answers Describe gets ten times as long as one that does not.
func TestWatch_SilentDeviceIsHung(t *testing.T) {
	for _, deaf := range []bool{true, false} {
		s := &scripted{deaf: deaf, answer: func(plugins.Command, func(plugins.Event)) error { return nil }}
		stream := openTo(t, s)
		const timeout = 20 * time.Millisecond
		go stream.Watch(s, timeout)
		began := time.Now()
		_, err := stream.Do(plugins.Command{Op: plugins.Step}, nil)
		if plugins.KindOf(err) != plugins.KindHung {
			t.Errorf("deaf %v: error %v", deaf, err)
		}
		if silence := time.Since(began); !deaf && silence < patience*timeout {
			t.Errorf("hung after %v, although it lives", silence)
		}
	}
}

// While the device owes nothing it may be silent as long as it likes.
func TestWatch_LeavesAnIdleDeviceAlone(t *testing.T) {
	s := &scripted{deaf: true}
	stream := openTo(t, s)
	go stream.Watch(s, time.Millisecond)
	time.Sleep(30 * time.Millisecond)
	if err := stream.ctx.Err(); err != nil {
		t.Error(context.Cause(stream.ctx))
	}
}

// A device that has answered everything, and does not leave, is hung.
func TestWatch_DeviceThatStaysIsHung(t *testing.T) {
	const timeout = 20 * time.Millisecond
	for _, deaf := range []bool{true, false} {
		s := &staying{scripted{deaf: deaf, answer: func(c plugins.Command, emit func(plugins.Event)) error {
			emit(plugins.Event{Seq: c.Seq, Done: true})
			return nil
		}}}
		stream := openSession(t, s)
		go stream.Watch(s, timeout)
		if _, err := stream.Do(plugins.Command{Op: plugins.Step}, nil); err != nil {
			t.Fatal(err)
		}
		if err := stream.Finish(); plugins.KindOf(err) != plugins.KindHung {
			t.Errorf("deaf %v: %v", deaf, err)
		}
	}
}

// staying is a device that stays when there are no more commands.
type staying struct{ scripted }

func (s *staying) Execute(ctx context.Context, commands <-chan plugins.Command, emit func(plugins.Event)) error {
	if err := s.scripted.Execute(ctx, commands, emit); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}
