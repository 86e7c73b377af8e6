package plugins

import (
	"context"
	"testing"
	"time"

	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

// sentMessages is a stream that keeps what is sent.
type sentMessages struct {
	executeServer
	messages []*pb.Event
}

func (s *sentMessages) Send(m *pb.Event) error {
	s.messages = append(s.messages, m)
	return nil
}

// However events travel, they arrive as they were told; a host that does not read earlier
// ones gets a message for each.
func TestOutbox_KeepsOrder(t *testing.T) {
	const count = 1000
	for _, holds := range []bool{false, true} {
		stream := &sentMessages{}
		out := outbox{stream: stream, holds: holds}
		for i := range count {
			out.emit(Event{Seq: uint64(i), Iteration: &Iteration{Number: i}, Done: i == count-1})
		}
		var got []*pb.Event
		for _, m := range stream.messages {
			got = append(append(got, m.GetEarlier()...), m)
		}
		if len(got) != count || holds == (len(stream.messages) == count) {
			t.Fatalf("holds %v: %d events in %d messages", holds, len(got), len(stream.messages))
		}
		for i, m := range got {
			if m.GetSeq() != uint64(i) || m.GetIteration().GetNumber() != int64(i) {
				t.Fatalf("holds %v: event %d is %v", holds, i, m)
			}
		}
	}
}

// Answers that nobody waits for travel with the next that somebody does; a failure waits for nothing.
func TestOutbox_AnswersTravelTogether(t *testing.T) {
	stream := &sentMessages{}
	out := outbox{stream: stream, holds: true, unawaited: map[uint64]bool{}, sent: time.Now().Add(time.Hour)}
	out.expect([]*pb.Command{{Seq: 1}, {Seq: 2}, {Seq: 4}})
	for seq := range uint64(3) {
		out.emit(Event{Seq: seq + 1, Done: true})
	}
	out.emit(Event{Seq: 4, Done: true, Err: context.Canceled})
	if len(stream.messages) != 2 || len(stream.messages[0].GetEarlier()) != 2 || len(out.unawaited) != 0 {
		t.Errorf("%v; still unawaited: %v", stream.messages, out.unawaited)
	}
}

// News that nothing follows arrives all the same, while the command goes on.
func TestOutbox_SendsLoneNews(t *testing.T) {
	seen := make(chan uint64)
	s, _ := openRemote(t, stub{execute: func(_ context.Context, _ Job, _ <-chan Command, emit func(Event)) error {
		for edges := range uint64(3) {
			emit(Event{Edges: edges})
			if got := <-seen; got != edges {
				t.Errorf("%d arrived, not %d", got, edges)
			}
		}
		return nil
	}})
	commands := make(chan Command)
	close(commands)
	if err := s.Execute(t.Context(), commands, func(e Event) { seen <- e.Edges }); err != nil {
		t.Fatal(err)
	}
}
