package mega

import (
	"runtime"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// TestBarrier: whatever the slack, a worker sees behind a barrier what all have changed before it, and up to the next
// one nothing else; a run whose epochs end by one ends with the epoch that will do.
func TestBarrier(t *testing.T) {
	r := testseed.Rand(t)
	for range 300 {
		workers, slack, rights := 1+r.IntN(8), r.IntN(7)-1, 1+r.IntN(4)
		o := Options{Workers: workers, Slack: slack, Epochs: 1 + r.IntN(10), Batches: 1 + r.IntN(4), Seed: r.Uint64()}
		enough := r.IntN(o.Epochs)
		var mu sync.Mutex
		check := func(w *Worker[int64], of string, row []int64) {
			mu.Lock()
			defer mu.Unlock()
			for k, n := range row[:workers] {
				if int(n) != w.Epoch+1 {
					t.Errorf("%+v: in epoch %d, %s of worker %d has seen %d changes of worker %d", o, w.Epoch, of, w.Number, n, k)
				}
			}
		}
		p := &Program[int64, int64, int64]{Name: "barrier", Left: Rows{Mirror: 1}, Right: Rows{Shared: workers},
			Exchange: func(w *Worker[int64], _, v []int64, _ *int64) {
				if w.Looks {
					check(w, "Look", v)
					return
				}
				v[w.Number]++
				for range w.Random.IntN(20) {
					runtime.Gosched()
				}
			},
			VisitRight: func(w *Worker[int64], v []int64) { check(w, "VisitRight", v) },
			Done:       func(epoch int, _ float64, _ [][]float64) bool { return epoch == enough },
			Stages:     []Stage{MiniBatch(Exchange(), Sync()), Barrier(), Look(), VisitRight(), Barrier()}}
		s, report, err := Run(t.Context(), p, everyOne(workers, rights), o)
		if err != nil {
			t.Fatal(err)
		}
		want := enough + 1
		if slack == Asynchronous {
			want = o.Epochs
		}
		if len(report.Losses) != want || int(s.Right[0]) != want {
			t.Errorf("%+v: %d epochs, %d changes, want %d", o, len(report.Losses), s.Right[0], want)
		}
	}
}
