package deltastepping

import (
	"math"
	"sync/atomic"
)

// buckets are where vertices wait by distance, each worker's apart. Only a window of
// slots numbers, from current on, is kept; slot i%slots holds bucket i. A bucket is a list
// of batches, out of a fixed store. A vertex that is too far for the window, or comes when
// the store is used up, is not kept: lost tells so, and whoever uses buckets must know by
// other means who waits.
type buckets struct {
	store   []batch
	unused  atomic.Int64 // batches from there on were never taken
	full    atomic.Bool  // somebody came when the store was used up
	current uint64
	workers []workerBuckets
}

// workerBuckets are one worker's lists, by 1 + the number of their first batch.
type workerBuckets struct {
	slots [slots]int32
	free  int32
	far   uint64 // the least bucket of those who were too far for the window
	_     [64]byte
}

// batch is a few vertices of one bucket; 256 bytes.
type batch struct {
	next     int32
	count    int32
	vertices [batchVertices]uint32
}

const (
	slots         = 256
	batchVertices = 62
	batchBytes    = 256
	nobody        = math.MaxUint64 // as the least of buckets
)

// batchCount is the size of the store: every vertex fits twice, and once whatever the
// buckets and workers that they are spread over.
func batchCount(n, workers int) int { return 2*(n/batchVertices+1) + workers*slots }

func newBuckets(n, workers int) *buckets {
	return &buckets{store: make([]batch, batchCount(n, workers)), workers: make([]workerBuckets, workers)}
}

// bucketBytes is what newBuckets takes.
func bucketBytes(n, workers int) uint64 {
	return uint64(batchCount(n, workers))*batchBytes + uint64(workers)*(4*slots+128)
}

// reset empties all buckets and puts the window where current is.
func (b *buckets) reset(current uint64) {
	for worker := range b.workers {
		b.workers[worker] = workerBuckets{far: nobody}
	}
	b.unused.Store(0)
	b.full.Store(false)
	b.current = current
}

// put has v wait in a bucket, not before current.
func (b *buckets) put(worker int, bucket uint64, v uint32) {
	w := &b.workers[worker]
	if bucket-b.current >= slots {
		w.far = min(w.far, bucket)
		return
	}
	first := &w.slots[bucket%slots]
	if *first == 0 || b.store[*first-1].count == batchVertices {
		taken := b.take(w)
		if taken == 0 {
			b.full.Store(true)
			return
		}
		at := &b.store[taken-1]
		at.next, at.count = *first, 0
		*first = taken
	}
	last := &b.store[*first-1]
	last.vertices[last.count] = v
	last.count++
}

// take is a batch for w, or 0.
func (b *buckets) take(w *workerBuckets) int32 {
	if taken := w.free; taken != 0 {
		w.free = b.store[taken-1].next
		return taken
	}
	if b.unused.Load() >= int64(len(b.store)) {
		return 0
	}
	if taken := b.unused.Add(1); taken <= int64(len(b.store)) {
		return int32(taken)
	}
	return 0
}

// give returns a batch that a worker has done with.
func (b *buckets) give(worker int, done int32) {
	w := &b.workers[worker]
	b.store[done-1].next, w.free = w.free, done
}

// detach takes the current bucket of a worker out, its first batch, unless it has more
// batches than most.
func (b *buckets) detach(worker, most int) int32 {
	place := &b.workers[worker].slots[b.current%slots]
	first, count := *place, 0
	for at := first; at != 0; at = b.store[at-1].next {
		if count++; count > most {
			return 0
		}
	}
	*place = 0
	return first
}

// gather takes the current bucket of all workers out and appends its batches to list.
func (b *buckets) gather(list []int32) []int32 {
	for worker := range b.workers {
		for at := b.detach(worker, len(b.store)); at != 0; at = b.store[at-1].next {
			list = append(list, at)
		}
	}
	return list
}

// advance goes to the next bucket where somebody waits, and tells whether there is one in
// the window. It stops at whoever was too far.
func (b *buckets) advance() bool {
	for end := min(b.current+slots, b.far()); b.current < end; b.current++ {
		for worker := range b.workers {
			if b.workers[worker].slots[b.current%slots] != 0 {
				return true
			}
		}
	}
	return false
}

// far is the least bucket of those who were too far for the window, or nobody.
func (b *buckets) far() uint64 {
	far := uint64(nobody)
	for worker := range b.workers {
		far = min(far, b.workers[worker].far)
	}
	return far
}
