package bolt

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// message is what a client has sent.
type message struct {
	bytes   []byte
	refused error // there was no memory for it; nil: it is there
}

// queue is messages that have arrived and are not yet answered; together they are not larger
// than its room.
type queue struct {
	messages chan message
	size     int64
	room     *semaphore.Weighted
}

func newQueue(size int64) *queue {
	return &queue{messages: make(chan message, 256), size: size, room: semaphore.NewWeighted(size)}
}

// put waits for room.
func (q *queue) put(ctx context.Context, m message) error {
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
func (q *queue) answered(m message) { q.room.Release(q.weight(m)) }

func (q *queue) weight(m message) int64 { return min(int64(len(m.bytes)), q.size) }

func (q *queue) empty() bool { return len(q.messages) == 0 }
