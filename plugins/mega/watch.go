package mega

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/plugins/mega/internal/commons"
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

// signs is how often Options.Alive is called.
const signs = time.Second

// life is whether the workers of this process get somewhere, or wait for those of another that do.
type life struct {
	workers []*place
	beats   []uint64 // of each, when it was last looked at
	watched bool     // who is neither waiting nor gets somewhere is found to hang in time
	sleeps  bool     // all workers may, as a Cluster that is pretended has them
	number  int      // of this process
	shown   []int64  // by process, how often its own workers have shown life
	seen    []int64  // of that
}

func newLife(c *commons.Memory, workers []*place, o Options) *life {
	processes := max(o.Processes.Of, 1)
	return &life{workers: workers, beats: make([]uint64, len(workers)), watched: o.Patience > 0,
		sleeps: o.Cluster != Cluster{}, number: o.Processes.Number,
		shown: commons.Take[int64](c, processes), seen: make([]int64, processes)}
}

// shows says whether there has been any since it was last asked: none where all wait for each other.
func (l *life) shows() (some bool) {
	own := l.sleeps
	for k, at := range l.workers {
		beats := at.beats.Load()
		own = own || beats != l.beats[k] || l.watched && action(at.doing.Load()) != waiting
		l.beats[k] = beats
	}
	if own {
		atomic.AddInt64(&l.shown[l.number], 1)
	}
	for k := range l.shown {
		shown := atomic.LoadInt64(&l.shown[k])
		some = some || shown != l.seen[k]
		l.seen[k] = shown
	}
	return some
}

// tell calls alive from time to time while there are signs of life, until what it returns is called. Nil: never.
func (l *life) tell(alive func()) (end func()) {
	if alive == nil {
		return func() {}
	}
	ended := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		ticker := time.NewTicker(signs)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
			}
			if l.shows() {
				alive()
			}
		}
	})
	return func() {
		close(ended)
		telling.Wait()
	}
}
