package mega

import (
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/plugins/mega/internal/commons"
)

// Span is a clock of a worker, in the order of what it does: it waits until it may begin, pulls what others have
// changed, computes, as long as a Cluster has it, and sends what it has changed.
type Span struct {
	Epoch, Clock              int           // from 0
	Began                     time.Duration // since the run began, or what goes on with it: the first of its processes
	Wait, Pull, Compute, Sync time.Duration
}

// End is when it ended.
func (s Span) End() time.Duration { return s.Began + s.Wait + s.Pull + s.Compute + s.Sync }

// MaxSpans is how many clocks of all workers a timeline has, the first ones: 56 bytes each.
const MaxSpans = 1 << 17

// timeline is the spans of a worker.
type timeline struct {
	most  int // 0: nobody asks for them
	since time.Time
	now   Span
	mark  time.Time // since when it does what comes next
	spans []Span
}

// beginning is when the first of the processes began: all of them are of one machine, which has one clock.
func beginning(c *commons.Memory) time.Time {
	now, first := time.Now(), &commons.Take[int64](c, 1)[0]
	atomic.CompareAndSwapInt64(first, 0, now.UnixNano())
	return now.Add(time.Duration(atomic.LoadInt64(first) - now.UnixNano()))
}

func newTimeline(o Options, since time.Time) timeline {
	if !o.Trace {
		return timeline{}
	}
	return timeline{most: MaxSpans / o.Workers, since: since}
}

// begin begins a clock, which has waited for so long.
func (t *timeline) begin(epoch, clock int, at time.Time, waited time.Duration) {
	t.now, t.mark = Span{Epoch: epoch, Clock: clock, Began: at.Sub(t.since), Wait: waited}, at.Add(waited)
}

// did says what has been done until now.
func (t *timeline) did(what *time.Duration) {
	if t.most == 0 {
		return
	}
	now := time.Now()
	*what, t.mark = now.Sub(t.mark), now
}

// end ends the clock.
func (t *timeline) end() {
	if len(t.spans) < t.most {
		t.spans = append(t.spans, t.now)
	}
}
