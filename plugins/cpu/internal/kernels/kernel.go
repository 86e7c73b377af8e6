// Package kernels carries messages along the edges of resident chunks into accumulators.
//
//	Messages   what vertices send, one a vertex                  (messages.go)
//	Frontier   the vertices that send                            (frontier.go, share.go)
//	    │  Kernel, chosen by the program's shape                 (choose.go)
//	    ▼
//	Accumulators   what has arrived at each vertex               (accumulators.go)
//
// Sum and Prod pull: each row of a chunk is a target that adds up its sources, so one worker
// writes it (pull.go); long rows of about equal length are summed interleaved (sumrows.go).
// Where the target alone chooses between two messages, each row sums those of one (selectpull.go).
// Sums of which the host would send active rows alone are pushed, each worker to targets of its
// own (pushsums.go).
//
// Min, Max, And and Or push: each row is a source that lowers the keys of its targets by
// compare-and-swap (push.go), and rows that are not active cost nothing. Where edges lead
// both ways, an iteration whose active rows have many edges goes bottom up instead: rows look
// at their neighbors, and stop at a message that none beats (bottomup.go).
//
// For any other Process blocks of edges are evaluated an operator at a time (vectorized.go,
// edgeblock.go).
//
// Results do not depend on the number of workers: sums have a fixed order. A row that spans
// segments of a chunk is put together in their order (combine), whichever workers did them.
package kernels

import (
	"context"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// Kernel carries messages along the edges of a chunk into the accumulators.
type Kernel interface {
	Name() string
	Size() uint64 // bytes of scratch
	// step does segment s of r and returns how many edges were processed.
	step(worker int, r *csr.Chunk, s int) uint64
	// combine runs alone, after all segments of r.
	combine(r *csr.Chunk)
}

// carrier is a kernel that divides the work of a batch in its own way.
type carrier interface {
	Carry(ctx context.Context, w csr.Batch) (uint64, error)
}

// Carry runs kernel over the segments of w and returns how many edges it processed. Where
// rows pull, segments all of whose rows are outside the share are left out; nil: there is none.
func Carry(ctx context.Context, pool parallel.Pool, kernel Kernel, w csr.Batch, pulled *Share) (uint64, error) {
	if own, ok := kernel.(carrier); ok {
		return own.Carry(ctx, w)
	}
	var edges atomic.Uint64
	err := pool.Run(ctx, w.Segments(), func(worker, task int) {
		if r, s := w.At(task); pulled == nil || pulled.hasRows(r, s) {
			edges.Add(kernel.step(worker, r, s))
		}
	})
	if err != nil {
		return edges.Load(), err
	}
	for _, r := range w.Chunks {
		kernel.combine(r)
	}
	return edges.Load(), nil
}
