package cpu

import "sync/atomic"

// seat is where a worker of a pool waits for a moment after a round, in case another
// comes: nil when nobody does.
//
//	call ──▶ the worker who waits, or a new goroutine
//	worker: stint ──▶ waiting ──moment──▶ nil, and ends
//	                     └──call──▶ stint
type seat struct {
	place atomic.Pointer[stint]
	_     [56]byte // apart from the next worker's
}

// stint is what one worker does of a round.
type stint struct {
	round  *round
	worker int
}

// waiting is in a seat where a worker waits.
var waiting stint

func (s *seat) call(work stint) {
	if !s.place.CompareAndSwap(&waiting, &work) {
		go s.serve(work)
	}
}

// serve does work, and what comes within a moment.
func (s *seat) serve(work stint) {
	work.do()
	for s.place.CompareAndSwap(nil, &waiting) {
		called := awake(func() bool { return s.place.Load() != &waiting })
		if !called && s.place.CompareAndSwap(&waiting, nil) {
			return
		}
		s.place.Swap(nil).do()
	}
}

func (w stint) do() {
	if w.round.join() {
		w.round.work(w.worker)
		w.round.leave()
	}
}
