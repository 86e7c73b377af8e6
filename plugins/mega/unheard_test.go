package mega

import (
	"math"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// TestStartMirror_Unheard: a mirror of a row whose changes are added is told of one change, and of those that each
// other worker is likely to make in the clocks that it may be ahead.
func TestStartMirror_Unheard(t *testing.T) {
	type mirror struct {
		worker, right int
	}
	r := testseed.Rand(t)
	for range 200 {
		g := randomGraph(r)
		o := Options{Workers: 1 + r.IntN(5), Slack: r.IntN(7) - 1, Epochs: 1, Batches: 1 + r.IntN(6)}
		var mu sync.Mutex
		told, edges := map[mirror]float64{}, map[mirror]float64{}
		p := &Program[float64, float64, int64]{Name: "unheard", Right: Rows{Shared: 1, Mirror: 1},
			StartRight:  func(v int, row []float64) { row[0] = float64(v) },
			StartMirror: func(own []float64, together float64) { own[0] = together },
			Exchange: func(w *Worker[float64], _, v []float64, _ *int64) {
				mu.Lock()
				defer mu.Unlock()
				at := mirror{w.Number, int(v[0])}
				told[at] = v[1]
				edges[at]++
			},
			Stages: []Stage{MiniBatch(Exchange(), Sync())}}
		if _, _, err := Run(t.Context(), p, g, o); err != nil {
			t.Fatal(err)
		}
		b := float64(o.Batches)
		clocks := math.Min(b, float64(o.Slack+1))
		if o.Slack == Asynchronous {
			clocks = b
		}
		for at, got := range told {
			want := 1.0
			for k := range o.Workers {
				if k != at.worker {
					want += clocks * math.Min(1, edges[mirror{k, at.right}]/b)
				}
			}
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("%+v: the mirror of vertex %d at worker %d is told of %v changes, want %v", o, at.right, at.worker, got, want)
			}
		}
	}
}
