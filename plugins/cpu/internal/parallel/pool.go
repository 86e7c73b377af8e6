// Package parallel runs numbered tasks on a fixed number of workers.
//
//	Pool.Run ──▶ loop ──▶ workers draw task numbers from one counter     (pool.go, loop.go)
//	             worker after its last task: spins in its mailbox         (mailbox.go, spin.go)
//	Ordered      a part of each task, in the order of the tasks           (ordered.go)
//
// The cut of work into tasks never depends on the number of workers, so neither do results.
package parallel

import "context"

// Pool does numbered tasks with a fixed number of workers. Between rounds of tasks its
// workers stay awake for a moment (seat.go): a round may be shorter than waking them.
type Pool struct {
	Threads   int
	mailboxes []mailbox // of each worker but the caller's goroutine
}

func New(threads int) Pool {
	return Pool{Threads: threads, mailboxes: make([]mailbox, max(threads-1, 0))}
}

// Run calls do for every task in [0, tasks), each on one of the workers, and waits. The
// workers draw from one counter, so an expensive task delays only itself. Once ctx has
// ended no task is begun; run then returns its error.
func (p Pool) Run(ctx context.Context, tasks int, do func(worker, task int)) error {
	r := &loop{ctx: ctx, tasks: int64(tasks), do: do, left: make(chan struct{}, 1)}
	for i := range min(p.Threads, tasks) - 1 {
		p.mailboxes[i].call(assignment{r, i + 1})
	}
	r.work(0)
	r.close()
	return ctx.Err()
}

// BlockVertices is the number of vertices of a task over vertices: a whole number of
// bitmap words, so that no two workers write the same word.
const BlockVertices = 4096

// Blocks calls do for every block [from, to) of n vertices.
func (p Pool) Blocks(ctx context.Context, n int, do func(worker, block, from, to int)) error {
	return p.Run(ctx, BlockCount(n), func(worker, block int) {
		from := block * BlockVertices
		do(worker, block, from, min(from+BlockVertices, n))
	})
}

func BlockCount(n int) int { return (n + BlockVertices - 1) / BlockVertices }
