package split

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// Two devices that find work for each other end together, once both have looked at the other's last turn and found
// nothing.
func TestTermination_EndsWhenNeitherHasWork(t *testing.T) {
	var end termination
	end.begin(t.Context())
	var mu sync.Mutex // protects left
	left := 50        // turns that find something new
	var both sync.WaitGroup
	for which := range 2 {
		both.Go(func() {
			for {
				end.moved(which)
				for more := false; !more; {
					seen := end.turn(1 - which)
					mu.Lock()
					if more = left > 0; more {
						left--
					}
					mu.Unlock()
					if !end.looked(which, seen, more, more) {
						return
					}
				}
			}
		})
	}
	both.Wait()
	if left != 0 || end.news != 50 || end.left() != nil {
		t.Errorf("%d turns are left, %d looks found something, left with %v", left, end.news, end.left())
	}
}

// A device that waits for the other is woken when that leaves, or the run ends.
func TestTermination_EndsWhenOneLeaves(t *testing.T) {
	gone := errors.New("gone")
	for name, leave := range map[string]func(*termination, context.CancelCauseFunc){
		"leaves":   func(end *termination, _ context.CancelCauseFunc) { end.leave(gone) },
		"canceled": func(_ *termination, cancel context.CancelCauseFunc) { cancel(gone) },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			var end termination
			end.begin(ctx)
			end.moved(0)
			go leave(&end, cancel)
			if end.looked(0, end.turn(1), false, false) {
				t.Error("it goes on")
			}
			if err := end.left(); !errors.Is(err, gone) {
				t.Errorf("error %v", err)
			}
		})
	}
}
