package inbox

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// Message is what a client has sent.
type Message struct {
	Bytes   []byte
	Refused error // there was no memory for it; nil: it is there
}

// queue is messages that have arrived and are not yet answered; together they are not larger
// than its room.
type queue struct {
	messages chan Message
	size     int64
	room     *semaphore.Weighted
}

func newQueue(size int64) *queue {
	return &queue{messages: make(chan Message, 256), size: size, room: semaphore.NewWeighted(size)}
}

// put waits for room.
func (q *queue) put(ctx context.Context, m Message) error {
	if err := q.room.Acquire(ctx, q.weight(m)); err != nil {
		return err
	}
	select {
	case q.messages <- m:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// answered gives a message's room back.
func (q *queue) answered(m Message) { q.room.Release(q.weight(m)) }

func (q *queue) weight(m Message) int64 { return min(int64(len(m.Bytes)), q.size) }

func (q *queue) empty() bool { return len(q.messages) == 0 }
