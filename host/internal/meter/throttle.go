package meter

import (
	"context"
	"time"
)

// Throttle makes chunks reach the device no sooner than a link of so many bytes a second would
// have carried them, one after the other: a simulation, so that it shows on any machine what
// a schedule saves on a device behind a bus. A Bandwidth of 0 is no link.
type Throttle struct {
	Bandwidth uint64
	free      time.Time     // when what was sent before has arrived
	late      time.Duration // the last wait ended so much too late, and has not been made up for
	now       func() time.Time
	sleep     func(context.Context, time.Duration)
}

// debt is how much too soon something may arrive. Timers end some tenths of a millisecond
// late, which for small chunks would add up to more than the link takes.
const debt = time.Millisecond

// NewThrottle makes a link of so many bytes a second; 0: none.
func NewThrottle(bandwidth uint64) Throttle {
	return Throttle{Bandwidth: bandwidth, now: time.Now, sleep: func(ctx context.Context, d time.Duration) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}}
}

// Carry waits until so many bytes have arrived, but for a debt, and says when their transfer
// began and how long it took.
func (l *Throttle) Carry(ctx context.Context, bytes uint64) (began time.Time, took time.Duration) {
	now := l.now()
	if l.Bandwidth == 0 {
		return now, 0
	}
	if began = now.Add(-l.late); l.free.After(began) {
		began = l.free
	}
	took = time.Duration(float64(bytes) / float64(l.Bandwidth) * float64(time.Second))
	l.free = began.Add(took)
	if ahead := l.free.Sub(now); ahead > debt {
		l.sleep(ctx, ahead)
		l.late = max(0, l.now().Sub(l.free))
	} else {
		l.late = max(0, min(l.late, -ahead))
	}
	return began, took
}
