package mega

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/testseed"
)

// TestDone_AllEndWithTheSameEpoch: whatever the workers, the slack and the schedule, a program that says that an epoch
// will do ends for all workers after the same epoch: that one without slack, and at most as many later as the slack
// lets workers be ahead. What it is told is of that epoch alone.
func TestDone_AllEndWithTheSameEpoch(t *testing.T) {
	r := testseed.Rand(t)
	ahead := 0
	for range 500 {
		o := Options{Workers: 1 + r.IntN(6), Slack: r.IntN(8), Epochs: 1 + r.IntN(30), Batches: 1 + r.IntN(4),
			Seed: r.Uint64()}
		enough, asked := r.IntN(30), 0
		p := &Program[int64, int64, int64]{Name: "counting", Right: Rows{Shared: 1}, Tally: 2,
			Exchange: func(w *Worker[int64], _, v []int64, _ *int64) {
				v[0]++
				w.Loss++
				w.Tally[0] = max(w.Tally[0], float64(w.Epoch))
				w.Tally[1]++
				for range w.Random.IntN(40) {
					runtime.Gosched()
				}
			},
			Done: func(epoch int, loss float64, tallies [][]float64) bool {
				if epoch != asked || len(tallies) != o.Workers || loss != float64(3*o.Workers) {
					t.Errorf("asked about epoch %d with loss %v and %d tallies, after %d", epoch, loss, len(tallies), asked-1)
				}
				for _, each := range tallies {
					if each[0] != float64(epoch) || each[1] != 3 {
						t.Errorf("epoch %d: a worker has %v", epoch, each)
					}
				}
				asked++
				return epoch >= enough
			},
			Stages: []Stage{MiniBatch(Exchange(), Sync())}}
		state, report, err := Run(t.Context(), p, everyOne(o.Workers, 3), o)
		if err != nil {
			t.Fatal(err)
		}
		epochs, lag := len(report.Losses), (o.Slack+o.Batches-1)/o.Batches
		if want := min(o.Epochs, enough+1+lag); epochs != want {
			t.Errorf("%+v: %d epochs, want %d", o, epochs, want)
		}
		if report.Done != (enough < o.Epochs) || asked != min(o.Epochs, enough+1) {
			t.Errorf("%+v: done is %v, after being asked %d times; epoch %d was to do", o, report.Done, asked, enough)
		}
		for _, w := range report.Workers {
			ahead = max(ahead, w.Ahead)
			if w.Edges != uint64(3*epochs) || w.Clocks != epochs*o.Batches {
				t.Errorf("%+v: a worker went along %d edges in %d clocks of %d epochs", o, w.Edges, w.Clocks, epochs)
			}
		}
		if state.Right[0] != int64(o.Workers*epochs) {
			t.Errorf("%+v: counted %d", o, state.Right[0])
		}
	}
	if ahead < 2 {
		t.Errorf("no worker was further ahead than %d: the schedules tried nothing", ahead)
	}
}

// TestDone_EndsNothingWithoutBound: where nothing bounds the slack a program is asked of every epoch, and all are done.
func TestDone_EndsNothingWithoutBound(t *testing.T) {
	asked := 0
	p := &Program[int64, int64, int64]{Name: "counting", Right: Rows{Shared: 1},
		Exchange: func(_ *Worker[int64], _, v []int64, _ *int64) { v[0]++ },
		Done: func(int, float64, [][]float64) bool {
			asked++
			return true
		},
		Stages: []Stage{MiniBatch(Exchange(), Sync())}}
	o := Options{Workers: 3, Slack: Asynchronous, Epochs: 7}
	_, report, err := Run(t.Context(), p, everyOne(3, 3), o)
	if err != nil || asked != 7 || report.Done || len(report.Losses) != 7 {
		t.Errorf("asked %d times; done: %v after %d epochs: %v", asked, report.Done, len(report.Losses), err)
	}
}

// TestDone_Canceled: workers that wait to know whether an epoch was the last give up when the run is canceled.
func TestDone_Canceled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	tired := errors.New("tired")
	g := everyOne(2, 1)
	p := &Program[int64, int64, int64]{Name: "sleeping", Right: Rows{Shared: 1},
		Exchange: func(w *Worker[int64], _, v []int64, _ *int64) {
			if v[0]++; w.Number == 1 {
				cancel(tired)
				time.Sleep(20 * time.Millisecond) // the other has come to its next epoch
			}
		},
		Done:   func(int, float64, [][]float64) bool { return false },
		Stages: []Stage{MiniBatch(Exchange(), Sync())}}
	if _, _, err := Run(ctx, p, g, Options{Workers: 2, Epochs: 1 << 20}); !errors.Is(err, tired) {
		t.Errorf("the run ended with %v", err)
	}
}
