package cpu

import (
	"context"
	"sort"
	"sync/atomic"
)

// wave is chunks whose segments may be done in any order, so that no worker waits at the
// end of each chunk: no two have a row in common, and the heads of all have room.
type wave struct {
	chunks []*resident
	ends   []int // of each chunk, its segments and those of the chunks before it
}

// waves cuts chunks into waves, in order. A chunk is a wave of its own where no longer
// one can be had.
func (p *program) waves(chunks []*resident) []wave {
	var all []wave
	for _, r := range chunks {
		if len(all) == 0 || !all[len(all)-1].takes(r, p.headCount) {
			all = append(all, wave{})
		}
		w := &all[len(all)-1]
		r.firstHead = w.segments()
		w.chunks = append(w.chunks, r)
		w.ends = append(w.ends, r.firstHead+r.segments())
	}
	return all
}

// takes tells whether r may join w: where lists lead one way and chunks come by rows,
// it begins where the last one ends.
func (w *wave) takes(r *resident, heads int) bool {
	last := w.chunks[len(w.chunks)-1]
	return last.direction == r.direction && last.rows.End() <= r.rows.Base && w.segments()+r.segments() <= heads
}

// segments is the number of tasks of w.
func (w *wave) segments() int {
	if len(w.ends) == 0 {
		return 0
	}
	return w.ends[len(w.ends)-1]
}

// at is the chunk and the segment that a task stands for.
func (w *wave) at(task int) (*resident, int) {
	k := sort.SearchInts(w.ends, task+1)
	return w.chunks[k], task - w.chunks[k].firstHead
}

// carrier is a kernel that divides the work of a wave in its own way.
type carrier interface {
	carry(ctx context.Context, w wave) (uint64, error)
}

// carry runs kernel over the segments of w and returns how many edges it processed.
func (p *program) carry(ctx context.Context, kernel edgeKernel, w wave) (uint64, error) {
	if own, ok := kernel.(carrier); ok {
		return own.carry(ctx, w)
	}
	var edges atomic.Uint64
	err := p.pool.run(ctx, w.segments(), func(worker, task int) {
		if r, s := w.at(task); !p.isOthers(r, s) {
			edges.Add(kernel.step(worker, r, s))
		}
	})
	if err != nil {
		return edges.Load(), err
	}
	for _, r := range w.chunks {
		kernel.combine(r)
	}
	return edges.Load(), nil
}
