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
	free      time.Time     // when what was sent before has arrived
	late      time.Duration // whoever waited for it was woken so much too late, and has not caught up
	now       func() time.Time
	sleep     func(context.Context, time.Duration)
}

// debt is how much too soon something may arrive. Timers end some tenths of a millisecond
// late, which for small chunks would add up to more than the link takes.
const debt = time.Millisecond

func newLink(bandwidth uint64) link {
	return link{bandwidth: bandwidth, now: time.Now, sleep: func(ctx context.Context, d time.Duration) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}}
}

// carry waits until so many bytes have arrived, but for a debt, and says when their transfer
// began and how long it took.
func (l *link) carry(ctx context.Context, bytes uint64) (began time.Time, took time.Duration) {
	now := l.now()
	if l.bandwidth == 0 {
		return now, 0
	}
	if began = now.Add(-l.late); l.free.After(began) {
		began = l.free
	}
	took = time.Duration(float64(bytes) / float64(l.bandwidth) * float64(time.Second))
	l.free = began.Add(took)
	if ahead := l.free.Sub(now); ahead > debt {
		l.sleep(ctx, ahead)
		l.late = max(0, l.now().Sub(l.free))
	} else {
		l.late = max(0, min(l.late, -ahead))
	}
	return began, took
}
