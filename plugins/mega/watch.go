package mega

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// looks is how often a worker is looked at before it is said to hang. A process that was stopped meanwhile, or a
// machine, is none that hangs: it has missed looks, not been silent in so many.
const looks = 8

// all has the workers work. The first error ends the work of all. Who hangs is left where it is.
func (r *run[U, V, E]) all(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stopped := context.AfterFunc(ctx, func() { r.stop(context.Cause(ctx)) })
	defer stopped()
	errs := make([]error, len(r.workers))
	var group sync.WaitGroup
	for k, w := range r.workers {
		group.Go(func() {
			if errs[k] = w.live(ctx); errs[k] != nil {
				r.stop(errs[k])
				cancel(errs[k])
			}
		})
	}
	ended, hung := make(chan struct{}), make(chan error, 1)
	go func() {
		group.Wait()
		close(ended)
	}()
	go r.watch(ended, hung)
	select {
	case err := <-hung:
		r.stop(err)
		cancel(err)
		return err
	case <-ended:
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// live works until it is done, or dies.
func (w *worker[U, V, E]) live(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			died := w.err()
			died.Panic, died.At = p, panicked()
			err = died
		}
	}()
	err = w.work(ctx)
	w.at.does(waiting)
	return err
}

// panicked is where the panic was that is being recovered from: the first place beyond what the runtime does of itself.
func panicked() string {
	const enough = 64
	callers := make([]uintptr, enough)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	within := false
	for {
		f, more := frames.Next()
		switch own := strings.HasPrefix(f.Function, "runtime."); {
		case f.Function == "runtime.gopanic":
			within = true
		case within && !own:
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}

// watch looks at the workers from time to time, until the run has ended or one hangs.
func (r *run[U, V, E]) watch(ended <-chan struct{}, hung chan<- error) {
	patience := r.options.Patience
	if patience == 0 {
		return
	}
	ticker := time.NewTicker(max(patience/looks, 1))
	defer ticker.Stop()
	silent, seen := make([]int, len(r.workers)), make([]uint64, len(r.workers))
	for {
		select {
		case <-ended:
			return
		case <-ticker.C:
		}
		for k, w := range r.workers {
			beats := w.at.beats.Load()
			if beats != seen[k] || action(w.at.doing.Load()) == waiting {
				silent[k], seen[k] = 0, beats
				continue
			}
			if silent[k]++; silent[k] > looks {
				e := w.err()
				e.Silent = patience
				hung <- e
				return
			}
		}
	}
}

// err is an error of a worker that says where it is.
func (w *worker[U, V, E]) err() *WorkerError {
	return &WorkerError{Program: w.run.program.Name, Worker: w.Number, Workers: w.run.options.Workers,
		Epoch: int(w.at.epoch.Load()), Clock: int(w.at.clock.Load()), Stage: actionNames[action(w.at.doing.Load())]}
}
