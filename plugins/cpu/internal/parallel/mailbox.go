package parallel

import "sync/atomic"

// mailbox is where a worker of a pool spins for a moment after a loop, in case another
// comes. It is nil when no worker does.
//
//	call ──▶ the worker that spins, or a new goroutine
//	worker: assignment ──▶ waiting ──spinTime──▶ nil, and ends
//	                          └──call──▶ assignment
type mailbox struct {
	place atomic.Pointer[assignment]
	_     [56]byte // apart from the next worker's
}

// assignment is what one worker does of a loop.
type assignment struct {
	loop   *loop
	worker int
}

// waiting is in a mailbox where a worker spins.
var waiting assignment

func (s *mailbox) call(work assignment) {
	if !s.place.CompareAndSwap(&waiting, &work) {
		go s.serve(work)
	}
}

// serve does work, and what comes within a moment.
func (s *mailbox) serve(work assignment) {
	work.do()
	for s.place.CompareAndSwap(nil, &waiting) {
		called := spin(func() bool { return s.place.Load() != &waiting })
		if !called && s.place.CompareAndSwap(&waiting, nil) {
			return
		}
		s.place.Swap(nil).do()
	}
}

func (w assignment) do() {
	if w.loop.join() {
		w.loop.work(w.worker)
		w.loop.leave()
	}
}
