package learning

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// testTimeline asks for a timeline of what was learned without one: it has each clock of each worker, one after the
// other, whose waits are those that the worker tells of; nothing else changes.
func testTimeline(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph, want learned) {
	got, err := factorization().with("trace", 1).learn(t, r, device, g, inOne)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.rows, want.rows) {
		t.Error("other bits with a timeline")
	}
	for k, w := range got.work {
		checkTimeline(t, k, w)
	}
	for k, w := range want.work {
		if len(w.Timeline) > 0 {
			t.Errorf("worker %d has a timeline of %d clocks that nobody has asked for", k, len(w.Timeline))
		}
	}
}

func checkTimeline(t *testing.T, worker int, w plugins.Work) {
	t.Helper()
	if uint64(len(w.Timeline)) != w.Clocks {
		t.Errorf("worker %d: a timeline of %d clocks of %d", worker, len(w.Timeline), w.Clocks)
		return
	}
	ended, waited, epoch := time.Duration(0), time.Duration(0), uint64(0)
	for i, s := range w.Timeline {
		switch next := s.Epoch == epoch || s.Epoch == epoch+1; {
		case s.Clock != uint64(i) || !next || s.Epoch >= learnedEpochs:
			t.Fatalf("worker %d: after clock %d, of epoch %d, comes clock %d, of epoch %d", worker, i-1, epoch, s.Clock, s.Epoch)
		case s.Began < ended || min(s.Wait, s.Pull, s.Compute, s.Sync) < 0:
			t.Fatalf("worker %d: clock %d ended after %v, and the next is %+v", worker, i-1, ended, s)
		}
		ended, epoch, waited = s.Began+s.Wait+s.Pull+s.Compute+s.Sync, s.Epoch, waited+s.Wait
	}
	if epoch != learnedEpochs-1 || waited != w.Waited {
		t.Errorf("worker %d: a timeline up to epoch %d, with %v waiting of %v", worker, epoch, waited, w.Waited)
	}
}
