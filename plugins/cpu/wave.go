package cpu

import "sort"

// wave is chunks whose segments may be done in any order, so that no worker waits at the
// end of each chunk: no two have a row in common, and the heads of all have room.
type wave struct {
	chunks []*resident
	ends   []int // of each chunk, its segments and those of the chunks before it
}

// waves cuts chunks into waves, in order. A chunk is a wave of its own where no longer
// one can be had.
func waves(chunks []*resident, heads int) []wave {
	var all []wave
	for _, r := range chunks {
		if len(all) == 0 || !all[len(all)-1].takes(r, heads) {
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
