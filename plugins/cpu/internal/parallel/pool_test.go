package parallel

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// Every task is done once by the time that run returns, by workers that each do one at a
// time, whether these are awake, asleep or more than there are processors.
func TestPool_DoesEveryTaskOnce(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 2 * runtime.GOMAXPROCS(0)} {
		p := New(threads)
		for round := range 2000 {
			if round%100 == 0 {
				time.Sleep(2 * spinTime) // all go to sleep
			}
			tasks := round % 50
			done, busy := make([]int, tasks), make([]atomic.Bool, threads)
			err := p.Run(context.Background(), tasks, func(worker, task int) {
				if busy[worker].Swap(true) {
					t.Errorf("worker %d of %d does two tasks at once", worker, threads)
				}
				done[task]++
				busy[worker].Store(false)
			})
			for task, times := range done {
				if times != 1 || err != nil {
					t.Fatalf("%d threads, round %d: task %d was done %d times, %v", threads, round, task, times, err)
				}
			}
		}
	}
}

// A worker's round may begin others, and rounds of one pool may run side by side.
func TestPool_RoundsWithinRounds(t *testing.T) {
	p := New(3)
	var sum atomic.Int64
	err := p.Run(context.Background(), 20, func(_, outer int) {
		_ = p.Run(context.Background(), 20, func(_, inner int) { sum.Add(int64(outer * inner)) })
	})
	if sum.Load() != 190*190 || err != nil {
		t.Fatal(sum.Load(), err)
	}
}

// Workers go away by themselves.
func TestPool_LeavesNoWorkerBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	p := New(2)
	for range 10 {
		_ = p.Run(context.Background(), 4, func(int, int) { time.Sleep(spinTime) })
	}
	for began := time.Now(); runtime.NumGoroutine() > before; time.Sleep(spinTime) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func TestPool_BeginsNothingOnceItsContextHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var begun atomic.Int64
	err := New(2).Run(ctx, 1000, func(int, int) {
		begun.Add(1)
		cancel()
	})
	if err == nil || begun.Load() > 2 {
		t.Fatalf("%d tasks were begun, %v", begun.Load(), err)
	}
}
