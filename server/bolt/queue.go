package bolt

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// queue is messages that have arrived and are not yet answered; together they are not larger
// than its room.
type queue struct {
	messages chan []byte
	size     int64
	room     *semaphore.Weighted
}

func newQueue(size int64) *queue {
	return &queue{messages: make(chan []byte, 256), size: size, room: semaphore.NewWeighted(size)}
}

// put waits for room.
func (q *queue) put(ctx context.Context, message []byte) error {
	if err := q.room.Acquire(ctx, q.weight(message)); err != nil {
		return err
	}
	select {
	case q.messages <- message:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// answered gives a message's room back.
func (q *queue) answered(message []byte) { q.room.Release(q.weight(message)) }

func (q *queue) weight(message []byte) int64 { return min(int64(len(message)), q.size) }

func (q *queue) empty() bool { return len(q.messages) == 0 }
