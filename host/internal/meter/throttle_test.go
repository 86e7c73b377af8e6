package meter

import (
	"context"
	"testing"
	"time"
)

// lateClock is a clock whose timers end so much late.
type lateClock struct {
	at   time.Time
	late time.Duration
}

func (d *lateClock) throttle(bandwidth uint64) Throttle {
	sleep := func(_ context.Context, t time.Duration) { d.at = d.at.Add(t + d.late) }
	return Throttle{Bandwidth: bandwidth, now: func() time.Time { return d.at }, sleep: sleep}
}

// Whatever the size of what is sent, and however late timers end, it takes as long as the
// link says.
func TestThrottle_CarriesAtItsRate(t *testing.T) {
	const bandwidth, all = 1 << 30, 1 << 26
	for _, bytes := range []uint64{1 << 8, 1 << 14, 1 << 19, 1 << 22, all} {
		clock := &lateClock{at: time.Unix(0, 0), late: 700 * time.Microsecond}
		l := clock.throttle(bandwidth)
		for range all / bytes {
			l.Carry(t.Context(), bytes)
			if ahead := l.free.Sub(clock.at); ahead > debt {
				t.Fatalf("%d bytes are there %v too soon", bytes, ahead)
			}
		}
		want := time.Second * all / bandwidth
		if took := l.free.Sub(time.Unix(0, 0)); took < want-debt || took > want {
			t.Errorf("%d bytes at a time: %v, want %v", bytes, took, want)
		}
	}
}

// A link that has had nothing to carry does not make up for that.
func TestThrottle_CarriesOneAfterTheOther(t *testing.T) {
	clock := &lateClock{at: time.Unix(9, 0)}
	l := clock.throttle(1 << 20)
	for _, idle := range []time.Duration{0, time.Second, 0, time.Minute} {
		clock.at = clock.at.Add(idle)
		want := clock.at
		if l.free.After(want) {
			want = l.free
		}
		if began, took := l.Carry(t.Context(), 1<<12); !began.Equal(want) || took != time.Second>>8 {
			t.Errorf("began %v after it could, and took %v", began.Sub(want), took)
		}
	}
}

func TestThrottle_CancelsAndMayBeAbsent(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	slow := NewThrottle(1)
	slow.Carry(ctx, 1<<40) // else it would wait for 30,000 years
	none := NewThrottle(0)
	if _, took := none.Carry(context.Background(), 1<<40); took != 0 {
		t.Errorf("no link takes %v", took)
	}
}
