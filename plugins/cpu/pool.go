package cpu

import "context"

// pool does numbered tasks with a fixed number of workers. Between rounds of tasks its
// workers stay awake for a moment (seat.go): a round may be shorter than waking them.
type pool struct {
	threads int
	seats   []seat // of each worker but the caller's goroutine
}

func newPool(threads int) pool { return pool{threads: threads, seats: make([]seat, max(threads-1, 0))} }

// run calls do for every task in [0, tasks), each on one of the workers, and waits. The
// workers draw from one counter, so an expensive task delays only itself. Once ctx has
// ended no task is begun; run then returns its error.
func (p pool) run(ctx context.Context, tasks int, do func(worker, task int)) error {
	r := &round{ctx: ctx, tasks: int64(tasks), do: do, left: make(chan struct{}, 1)}
	for i := range min(p.threads, tasks) - 1 {
		p.seats[i].call(stint{r, i + 1})
	}
	r.work(0)
	r.close()
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
