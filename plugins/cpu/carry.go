package cpu

import (
	"context"
	"sort"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// edgeKernel carries messages along the edges of a chunk into the accumulators.
type edgeKernel interface {
	name() string
	size() uint64 // bytes of scratch
	// step does segment s of r and returns how many edges were processed.
	step(worker int, r *csr.Chunk, s int) uint64
	// combine runs alone, after all segments of r.
	combine(r *csr.Chunk)
}

// carrier is a kernel that divides the work of a batch in its own way.
type carrier interface {
	carry(ctx context.Context, w csr.Batch) (uint64, error)
}

// carry runs kernel over the segments of w and returns how many edges it processed. Where
// rows pull, segments all of whose rows are outside the share are left out; nil: there is none.
func carry(ctx context.Context, pool parallel.Pool, kernel edgeKernel, w csr.Batch, pulled *ownShare) (uint64, error) {
	if own, ok := kernel.(carrier); ok {
		return own.carry(ctx, w)
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

// hasRows tells whether a row of a segment may be in the share.
func (s *ownShare) hasRows(r *csr.Chunk, segment int) bool {
	_, to, row := r.Segment(segment)
	end := sort.Search(len(r.Offsets), func(i int) bool { return int(r.Offsets[i]) >= to })
	base := int(r.Rows.Base)
	return base+r.Local(row) < s.to && base+r.Local(end-1) >= s.from
}
