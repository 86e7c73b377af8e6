package cpu

import (
	"context"
	"sync/atomic"
)

// worklist is vertices to visit; a visit may find more. Nobody may add a vertex twice.
//
// What a worker finds it visits itself, last found first, so that a long chain costs no
// round of all workers for each of its vertices. After visitsTask visits, or with more
// than findsHeld in hand, it leaves the rest to the next round, so that one vertex with
// much behind it does not keep the others idle.
type worklist struct {
	pool    pool
	work    []uint32 // of this round
	found   collection
	workers []finds
}

const (
	visitsTask = 1024
	findsHeld  = 256
)

// A task begins with up to itemsTask vertices of the round, fewer where that leaves a worker
// less than tasksWorker tasks, but itemsLeast: some vertices have thousands of edges.
const itemsTask, itemsLeast, tasksWorker = 64, 4, 16

func worklistBytes(n int, p pool) uint64 { return 8*uint64(n) + findsBytes(p) }

func newWorklist(n int, p pool) *worklist {
	w := &worklist{pool: p, work: make([]uint32, 0, n), found: collection{vertices: make([]uint32, n)}}
	w.workers = w.found.finders(p)
	return w
}

// collection is what all workers have found, in no order.
type collection struct {
	vertices []uint32
	count    atomic.Int64
}

// finders are one for each worker.
func (c *collection) finders(p pool) []finds {
	workers := make([]finds, p.threads)
	for i := range workers {
		workers[i].all = c
	}
	return workers
}

func findsBytes(p pool) uint64 { return uint64(p.threads) * (4*findsHeld + 64) }

// finds are what a worker has found and not yet shared.
type finds struct {
	all   *collection
	count int
	held  [findsHeld]uint32
	_     [48]byte // apart from the next worker's
}

func (f *finds) add(v uint32) {
	if f.count == findsHeld {
		f.share()
	}
	f.held[f.count] = v
	f.count++
}

// share gives what is held to all.
func (f *finds) share() {
	end := int(f.all.count.Add(int64(f.count)))
	copy(f.all.vertices[end-f.count:end], f.held[:f.count])
	f.count = 0
}

// advance makes what was found the work of the next round.
func (w *worklist) advance() {
	w.work, w.found.vertices = w.found.vertices[:w.found.count.Swap(0)], w.work[:cap(w.work)]
}

// start makes what the workers hold the first work.
func (w *worklist) start() {
	for i := range w.workers {
		w.workers[i].share()
	}
	w.advance()
}

// run visits until there is nothing left.
func (w *worklist) run(ctx context.Context, visit func(v uint32, found *finds)) error {
	for w.start(); len(w.work) > 0; w.advance() {
		items := min(max(len(w.work)/(tasksWorker*w.pool.threads), itemsLeast), itemsTask)
		tasks := (len(w.work) + items - 1) / items
		err := w.pool.run(ctx, tasks, func(worker, task int) {
			own := &w.workers[worker]
			for _, v := range w.work[task*items : min((task+1)*items, len(w.work))] {
				visit(v, own)
			}
			for visits := 0; own.count > 0 && visits < visitsTask; visits++ {
				own.count--
				visit(own.held[own.count], own)
			}
			own.share()
		})
		if err != nil {
			return err
		}
	}
	return nil
}
