package cpu

import (
	"context"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// carrier is a kernel that divides the work of a wave in its own way.
type carrier interface {
	carry(ctx context.Context, w csr.Batch) (uint64, error)
}

// carry runs kernel over the segments of w and returns how many edges it processed.
func (p *program) carry(ctx context.Context, kernel edgeKernel, w csr.Batch) (uint64, error) {
	if own, ok := kernel.(carrier); ok {
		return own.carry(ctx, w)
	}
	var edges atomic.Uint64
	err := p.pool.Run(ctx, w.Segments(), func(worker, task int) {
		if r, s := w.At(task); !p.isOthers(r, s) {
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
