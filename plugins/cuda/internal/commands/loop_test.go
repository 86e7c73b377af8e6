package commands

import (
	"context"
	"errors"
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
	"github.com/penstock-db/penstock/plugins/kit"
)

// TestMain has everything here compute on softcuda, a test double of a card.
func TestMain(m *testing.M) { softcuda.Main(m) }

// session obeys commands by work that takes the card a while.
type session struct {
	streams *stream.Streams
	obeyed  []uint64
	refused uint64 // this command
	left    bool
}

// Obey has odd commands done in one queue, even ones in another.
func (s *session) Obey(_ context.Context, _ *Loop, o *Order) (*stream.Work, error) {
	s.obeyed = append(s.obeyed, o.Command.Seq)
	if o.Command.Seq == s.refused {
		return nil, errors.ErrUnsupported
	}
	on := s.streams.Computing
	if o.Command.Seq%2 == 0 {
		on = s.streams.Checking
	}
	return s.streams.Timed(on, func() error { return nil })
}

func (s *session) Explain(_ context.Context, _ plugins.Command, err error) error { return err }

func (s *session) Leave(context.Context) error {
	s.left = true
	return nil
}

// run has a session obey ten commands, and is what it was told.
func run(t *testing.T, s *session) (told []plugins.Event, err error) {
	t.Helper()
	c, err := card.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	thread, err := card.NewThread(c.Context)
	if err != nil {
		t.Fatal(err)
	}
	defer thread.End()
	coming := make(chan plugins.Command, 10)
	for seq := range uint64(10) {
		coming <- plugins.Command{Seq: seq + 1, Op: plugins.Apply}
	}
	close(coming)
	err = thread.Do(func() (err error) {
		if s.streams, err = stream.Open(c); err != nil {
			return err
		}
		err = Run(t.Context(), Setup{Session: s, Commands: coming, Streams: s.streams, Budget: &kit.Budget{},
			Emit: func(e plugins.Event) { told = append(told, e) }})
		return errors.Join(err, s.streams.Idle(t.Context()), s.streams.Close())
	})
	return told, err
}

// Commands are answered in order, whichever the card has done first; then the session leaves.
func TestRun_AnswersInOrder(t *testing.T) {
	softcuda.Faults(t)
	t.Setenv("SOFTCUDA_DELAY", "5000")
	s := &session{}
	told, err := run(t, s)
	if err != nil || len(told) != 10 || !s.left {
		t.Fatalf("%v: %d answers; left: %v", err, len(told), s.left)
	}
	for i, e := range told {
		if e.Seq != uint64(i+1) || !e.Done || e.Err != nil {
			t.Errorf("answer %d: %+v", i, e)
		}
	}
}

// Nothing is obeyed after a command that fails; those before it are answered.
func TestRun_EndsAtAnError(t *testing.T) {
	softcuda.Faults(t)
	t.Setenv("SOFTCUDA_DELAY", "5000") // those before it are not done when it fails
	s := &session{refused: 4}
	told, err := run(t, s)
	if !errors.Is(err, errors.ErrUnsupported) || len(told) != 4 || len(s.obeyed) != 4 || s.left {
		t.Fatalf("%v: %d answers, obeyed %v; left: %v", err, len(told), s.obeyed, s.left)
	}
	for i, e := range told {
		if e.Seq != uint64(i+1) || (e.Err != nil) != (i == 3) {
			t.Errorf("answer %d: %+v", i, e)
		}
	}
}
