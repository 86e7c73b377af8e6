package csr

import "sort"

// Batch is chunks whose segments may be done in any order, so that no worker waits at the
// end of each chunk: no two have a row in common, and the heads of all have room.
type Batch struct {
	Chunks []*Chunk
	ends   []int // of each chunk, its segments and those of the chunks before it
}

// Batches cuts chunks into batches, in order, each as long as it can be.
func Batches(chunks []*Chunk, heads int) []Batch {
	var all []Batch
	for _, r := range chunks {
		if len(all) == 0 || !all[len(all)-1].takes(r, heads) {
			all = append(all, Batch{})
		}
		w := &all[len(all)-1]
		r.FirstHead = w.Segments()
		w.Chunks = append(w.Chunks, r)
		w.ends = append(w.ends, r.FirstHead+r.Segments())
	}
	return all
}

// takes tells whether r may join w: where lists lead one way and chunks come by rows,
// it begins where the last one ends.
func (w *Batch) takes(r *Chunk, heads int) bool {
	last := w.Chunks[len(w.Chunks)-1]
	return last.direction == r.direction && last.Rows.End() <= r.Rows.Base && w.Segments()+r.Segments() <= heads
}

// Segments is the number of tasks of w.
func (w *Batch) Segments() int {
	if len(w.ends) == 0 {
		return 0
	}
	return w.ends[len(w.ends)-1]
}

// At is the chunk and the segment that a task stands for.
func (w *Batch) At(task int) (*Chunk, int) {
	k := sort.SearchInts(w.ends, task+1)
	return w.Chunks[k], task - w.Chunks[k].FirstHead
}
