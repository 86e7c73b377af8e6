package supply

import (
	"context"
	"iter"

	"golang.org/x/sync/errgroup"
)

// Readers is how many goroutines read or cut chunks at once. Two keep a disk busy while
// one of them checks and copies; a third gains nothing.
const Readers = 2

// Hand passes v on, unless ctx ends before it is taken.
func Hand[T any](ctx context.Context, to chan<- T, v T) {
	select {
	case to <- v:
	case <-ctx.Done():
	}
}

// Receive yields what comes until ctx ends.
func Receive[T any](ctx context.Context, from <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case v := <-from:
				if !yield(v) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// InOrder does work for each task, several at once, and yields what came of them in the
// order of the tasks, while the next are being done. Tasks are drawn as soon as they can be
// worked on, and should end when their ctx does. When it returns no goroutine of it
// is left.
func InOrder[T, R any](ctx context.Context, tasks func(context.Context) iter.Seq[T],
	work func(context.Context, T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		ctx, cancel := context.WithCancel(ctx)
		queue := make(chan chan R, Readers-1) // room for one beside the one awaited
		var g errgroup.Group
		defer func() {
			cancel()
			_ = g.Wait() // errors are among the results
		}()
		g.Go(func() error {
			defer close(queue)
			for task := range tasks(ctx) {
				cell := make(chan R, 1)
				select {
				case queue <- cell:
				case <-ctx.Done():
					return nil
				}
				g.Go(func() error {
					cell <- work(ctx, task)
					return nil
				})
			}
			return nil
		})
		for cell := range queue {
			if !yield(<-cell) {
				return
			}
		}
	}
}
