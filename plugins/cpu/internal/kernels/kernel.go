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
