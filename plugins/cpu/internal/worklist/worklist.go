// Package worklist visits vertices, and those that visits find, until none is left. Workers
// add what they find to buffers of their own, and flush these into one queue, as the sliding
// queue of the GAP Benchmark Suite does (Beamer, Asanović, Patterson, 2015).
package worklist

import (
	"context"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// List is vertices to visit; a visit may find more. Nobody may add a vertex twice.
//
// What a worker finds it visits itself, last found first, so that a long chain costs no
// round of all workers for each of its vertices. After visitsTask visits, or with more
// than findsHeld in hand, it leaves the rest to the next round, so that one vertex with
// much behind it does not keep the others idle.
type List struct {
	pool    parallel.Pool
	Work    []uint32 // of this round
	Found   Queue
	Buffers []Buffer
}

const (
	visitsTask = 1024
	bufferSize = 256
)

// A task begins with up to itemsTask vertices of the round, fewer where that leaves a worker
// less than tasksWorker tasks, but itemsLeast: some vertices have thousands of edges.
const ItemsTask, itemsLeast, tasksWorker = 64, 4, 16

func Bytes(n int, p parallel.Pool) uint64 { return 8*uint64(n) + BufferBytes(p) }

func New(n int, p parallel.Pool) *List {
	w := &List{pool: p, Work: make([]uint32, 0, n), Found: Queue{Vertices: make([]uint32, n)}}
	w.Buffers = w.Found.Buffers(p)
	return w
}

// Queue is what all workers have found, in no order.
type Queue struct {
	Vertices []uint32
	Count    atomic.Int64
}

// Buffers are one for each worker.
func (c *Queue) Buffers(p parallel.Pool) []Buffer {
	workers := make([]Buffer, p.Threads)
	for i := range workers {
		workers[i].all = c
	}
	return workers
}

func BufferBytes(p parallel.Pool) uint64 { return uint64(p.Threads) * (4*bufferSize + 64) }

// Buffer are what a worker has found and not yet shared.
type Buffer struct {
	all      *Queue
	count    int
	vertices [bufferSize]uint32
	_        [48]byte // apart from the next worker's
}

func (f *Buffer) Add(v uint32) {
	if f.count == bufferSize {
		f.Flush()
	}
	f.vertices[f.count] = v
	f.count++
}

// Flush gives what is held to all.
func (f *Buffer) Flush() {
	end := int(f.all.Count.Add(int64(f.count)))
	copy(f.all.Vertices[end-f.count:end], f.vertices[:f.count])
	f.count = 0
}

// advance makes what was found the work of the next round.
func (w *List) advance() {
	w.Work, w.Found.Vertices = w.Found.Vertices[:w.Found.Count.Swap(0)], w.Work[:cap(w.Work)]
}

// start makes what the workers hold the first work.
func (w *List) start() {
	for i := range w.Buffers {
		w.Buffers[i].Flush()
	}
	w.advance()
}

// Run visits until there is nothing left.
func (w *List) Run(ctx context.Context, visit func(v uint32, found *Buffer)) error {
	for w.start(); len(w.Work) > 0; w.advance() {
		items := min(max(len(w.Work)/(tasksWorker*w.pool.Threads), itemsLeast), ItemsTask)
		tasks := (len(w.Work) + items - 1) / items
		err := w.pool.Run(ctx, tasks, func(worker, task int) {
			own := &w.Buffers[worker]
			for _, v := range w.Work[task*items : min((task+1)*items, len(w.Work))] {
				visit(v, own)
			}
			for visits := 0; own.count > 0 && visits < visitsTask; visits++ {
				own.count--
				visit(own.vertices[own.count], own)
			}
			own.Flush()
		})
		if err != nil {
			return err
		}
	}
	return nil
}
