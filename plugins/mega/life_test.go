package mega

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/penstock-db/penstock/plugins/mega/internal/commons"
)

// Within an epoch a process shows life about every second while it gets somewhere, however slowly, and none once it
// does not; calls do not overlap with those of Epoch, and none comes after the end.
func TestRun_Alive(t *testing.T) {
	const lefts, each, patience = 300, time.Second / 10, 20 * time.Second
	for name, c := range map[string]struct {
		stuck       bool // from the second epoch on
		patience    time.Duration
		least, most int // signs
		fails       bool
	}{
		"slow":             {false, 0, 50, 60, false}, // as often as 16 vertices take
		"slow, watched":    {false, patience, 85, 90, false},
		"stuck":            {true, 0, 18, 25, true}, // an epoch, and nothing until the run is canceled
		"stuck, watched":   {true, patience, 45, 60, true},
		"stuck, as it may": {true, 10 * patience, 220, 290, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				p := counting()
				exchange := p.Exchange
				p.Exchange = func(w *Worker[int64], u, v []int64, edge *int64) {
					exchange(w, u, v, edge)
					switch {
					case w.Number > 0 || ctx.Err() != nil: // others wait for worker 0
					case c.stuck && w.Epoch > 0:
						if <-ctx.Done(); errors.Is(ctx.Err(), context.DeadlineExceeded) {
							time.Sleep(time.Millisecond) // so that the run learns of it before its end
						}
					default:
						time.Sleep(each)
					}
				}
				signs, within := 0, false
				call := func() {
					if within {
						t.Error("calls overlap")
					}
					within = true
					runtime.Gosched()
					within = false
				}
				_, _, err := Run(ctx, p, everyOne(2*lefts, 1), Options{Workers: 2, Epochs: 3, Patience: c.patience,
					Epoch: func(int, float64) { call() }, Alive: func() { signs++; call() }})
				if (err != nil) != c.fails {
					t.Errorf("%v", err)
				}
				if signs < c.least || signs > c.most {
					t.Errorf("%d signs of life, not %d to %d", signs, c.least, c.most)
				}
				told := signs
				if time.Sleep(time.Minute); signs != told {
					t.Errorf("%d signs of life after the end", signs-told)
				}
			})
		})
	}
}

// Who waits for another process shows life while that does, and none where all wait for each other.
func TestLife_Processes(t *testing.T) {
	room, ends := make([]byte, 1<<10), make([]place, 2)
	end := func(number int, patience time.Duration) *life {
		return newLife(&commons.Memory{Room: room}, []*place{&ends[number]},
			Options{Patience: patience, Processes: Processes{Number: number, Of: 2}})
	}
	first, second := end(0, 0), end(1, time.Minute)
	ends[0].does(waiting)
	ends[1].does(exchange)
	both := func(when string, want bool) {
		t.Helper()
		if of, too := second.shows(), first.shows(); of != want || too != want {
			t.Errorf("%s: the second shows %v, the first, which waits, %v", when, of, too)
		}
	}
	both("at first", true)
	both("busy, and watched", true)
	ends[1].does(waiting)
	both("gets somewhere", true)
	both("all wait", false)
	both("all wait still", false)
	ends[0].does(exchange)
	if !first.shows() || !second.shows() || first.shows() || second.shows() {
		t.Error("busy, and not watched")
	}
}
