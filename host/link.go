package host

import (
	"context"
	"time"
)

// link makes chunks reach the device no sooner than a link of so many bytes a second would
// have carried them, one after the other: a simulation, so that it shows on any machine what
// a schedule saves on a device behind a bus. A bandwidth of 0 is no link.
type link struct {
	bandwidth uint64
	free      time.Time // when what was sent before has arrived
}

// carry waits until so many bytes have arrived, and says when their transfer began and how
// long it took.
func (l *link) carry(ctx context.Context, bytes uint64) (began time.Time, took time.Duration) {
	began = time.Now()
	if l.bandwidth == 0 {
		return began, 0
	}
	if l.free.After(began) {
		began = l.free
	}
	took = time.Duration(float64(bytes) / float64(l.bandwidth) * float64(time.Second))
	l.free = began.Add(took)
	select {
	case <-time.After(time.Until(l.free)):
	case <-ctx.Done():
	}
	return began, took
}
