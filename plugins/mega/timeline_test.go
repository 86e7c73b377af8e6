package mega

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/testseed"
)

// A timeline has every clock of each worker once, one behind the other, and its parts are what the report adds up: the
// waits those for others, and computing as long as the cluster pretends.
func TestTimeline(t *testing.T) {
	r := testseed.Rand(t)
	waits := 0
	for range 60 {
		const edge = 100 * time.Nanosecond
		o := Options{Workers: 1 + r.IntN(5), Slack: r.IntN(4) - 1, Epochs: 1 + r.IntN(5), Batches: 1 + r.IntN(4),
			Seed: r.Uint64(), Trace: true, Cluster: Cluster{Edge: edge, Straggler: 3}}
		if r.IntN(2) == 0 {
			o.Cluster.Latency = time.Microsecond
		}
		took, report := pretended(t, everyOne(o.Workers, 7), o)
		for k, w := range report.Workers {
			if len(w.Timeline) != w.Clocks || w.Clocks != o.Epochs*o.Batches {
				t.Fatalf("%+v: worker %d has %d spans of %d clocks", o, k, len(w.Timeline), w.Clocks)
			}
			var waited, pulled, computed, end time.Duration
			for i, s := range w.Timeline {
				if s.Clock != i || s.Epoch != i/o.Batches || s.Began < end || min(s.Wait, s.Pull, s.Compute, s.Sync) < 0 {
					t.Fatalf("%+v: worker %d has %+v at %d, behind %v", o, k, s, i, end)
				}
				waited, pulled, computed, end = waited+s.Wait, pulled+s.Pull, computed+s.Compute, s.End()
			}
			if waited != w.Waited || end > took {
				t.Fatalf("%+v: worker %d waits %v, and its report says %v; ends at %v of %v", o, k, waited, w.Waited, end, took)
			}
			if computed < edge*time.Duration(w.Edges) || computed+pulled != w.Slept {
				t.Fatalf("%+v: worker %d computes for %v and pulls for %v; it has slept %v", o, k, computed, pulled, w.Slept)
			}
			if waited > 0 {
				waits++
			}
		}
	}
	if waits == 0 {
		t.Error("nobody has waited")
	}
}

// Timelines of several processes, which do not begin at once, have one beginning: no clock begins, by them, before
// those that it must wait for have been computed.
func TestTimeline_Processes(t *testing.T) {
	r := testseed.Rand(t)
	for range 10 {
		g, o := dividing(r)
		o.Trace = true
		var late atomic.Int64
		_, report, err := together(t.Context(), func() *Program[int64, int64, int64] {
			time.Sleep(20 * time.Millisecond * time.Duration(late.Add(1)-1))
			return counting()
		}, g, o)
		if err != nil {
			t.Fatal(err)
		}
		for k, w := range report.Workers {
			for i, s := range w.Timeline {
				begins := s.Began + s.Wait
				for other, of := range report.Workers {
					if i == 0 {
						break
					}
					before := of.Timeline[i-1]
					if ready := before.Began + before.Wait + before.Pull + before.Compute; begins < ready {
						t.Fatalf("%d processes: worker %d begins clock %d at %v, and worker %d has computed the one before at %v",
							o.Processes.Of, k, i, begins, other, ready)
					}
				}
			}
		}
	}
}

// Of long runs a timeline has the first clocks, and of others nothing.
func TestTimeline_Bounded(t *testing.T) {
	o := Options{Workers: 2, Epochs: MaxSpans/4 + 10, Batches: 2, Trace: true}
	_, report, err := Run(t.Context(), counting(), everyOne(2, 1), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range report.Workers {
		if len(w.Timeline) != MaxSpans/2 || w.Timeline[len(w.Timeline)-1].Clock != MaxSpans/2-1 {
			t.Errorf("%d spans of %d clocks", len(w.Timeline), w.Clocks)
		}
	}
	o.Trace, o.Epochs = false, 3
	if _, report, err = Run(t.Context(), counting(), everyOne(2, 1), o); err != nil || report.Workers[0].Timeline != nil {
		t.Errorf("a timeline that nobody asked for: %v, %v", report.Workers[0].Timeline, err)
	}
}
