package parallel

import "sync/atomic"

// mailbox is where a worker of a pool waits for a moment after a round, in case another
// comes: nil when nobody does.
//
//	call ──▶ the worker who waits, or a new goroutine
//	worker: stint ──▶ waiting ──moment──▶ nil, and ends
//	                     └──call──▶ stint
type mailbox struct {
	place atomic.Pointer[assignment]
	_     [56]byte // apart from the next worker's
}

// assignment is what one worker does of a round.
type assignment struct {
	loop   *loop
	worker int
}

// waiting is in a seat where a worker waits.
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
