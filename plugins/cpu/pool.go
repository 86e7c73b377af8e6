package cpu

import (
	"context"
	"sync"
	"sync/atomic"
)

// pool does numbered tasks with a fixed number of workers.
type pool struct{ threads int }

// run calls do for every task in [0, tasks), each on one of the workers, and waits. The
// workers draw from one counter, so an expensive task delays only itself. Once ctx has
// ended no task is begun; run then returns its error.
func (p pool) run(ctx context.Context, tasks int, do func(worker, task int)) error {
	var next atomic.Int64
	work := func(worker int) {
		for ctx.Err() == nil {
			task := int(next.Add(1)) - 1
			if task >= tasks {
				return
			}
			do(worker, task)
		}
	}
	var others sync.WaitGroup
	for worker := 1; worker < min(p.threads, tasks); worker++ {
		others.Go(func() { work(worker) })
	}
	work(0)
	others.Wait()
	return ctx.Err()
}

// blockVertices is the number of vertices of a task over vertices: a whole number of
// bitmap words, so that no two workers write the same word.
const blockVertices = 4096

// blocks calls do for every block [from, to) of n vertices.
func (p pool) blocks(ctx context.Context, n int, do func(worker, block, from, to int)) error {
	return p.run(ctx, blockCount(n), func(worker, block int) {
		from := block * blockVertices
		do(worker, block, from, min(from+blockVertices, n))
	})
}

func blockCount(n int) int { return (n + blockVertices - 1) / blockVertices }
