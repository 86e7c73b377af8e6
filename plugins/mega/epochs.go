package mega

import "sync"

// epochs adds up what workers tell of each epoch, and lets none begin one behind the last.
type epochs struct {
	mu      sync.Mutex
	judged  sync.Cond
	workers int
	tell    func(epoch int, loss float64)
	done    func(epoch int, loss float64, tallies [][]float64) bool
	// lag is how many epochs a worker may begin before it must know whether an earlier one was the last: as many as the
	// slack lets it be ahead. So all of them end with the same epoch, and wait no longer than their clocks have them.
	lag   int
	free  bool // nothing bounds the slack: that an epoch was the last would come too late
	sums  []float64
	told  []tally // by epoch
	many  int     // epochs that all workers have finished
	begun int     // the last epoch that a worker has begun
	// pause says whether to stop before the next epoch; nil: never. paused: they do, before epoch stopAt.
	pause  func() bool
	paused bool
	stopAt int
	end    int   // the first epoch that no worker begins
	found  bool  // done has said so
	err    error // what has stopped the run
}

// tally is what has been told of an epoch, by worker, so that the sum has one order.
type tally struct {
	workers int // that have finished it
	losses  []float64
	tallies [][]float64
}

// newEpochs has clocks be those of an epoch.
func newEpochs(o Options, done func(int, float64, [][]float64) bool, clocks int) *epochs {
	e := &epochs{workers: o.Workers, tell: o.Epoch, done: done, sums: make([]float64, o.Epochs),
		told: make([]tally, o.Epochs), end: o.Epochs, pause: o.Pause}
	e.free = o.Slack == Asynchronous
	if e.judged.L = &e.mu; done == nil || e.free {
		e.lag = o.Epochs
	} else {
		e.lag = (o.Slack + clocks - 1) / clocks
	}
	return e
}

// begin says whether a worker may begin an epoch. It waits for what it must know for that.
func (e *epochs) begin(epoch int) (bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.err == nil && e.many < epoch-e.lag {
		e.judged.Wait()
	}
	if epoch > e.begun {
		e.begun = epoch
		if e.pause != nil && !e.paused && e.pause() {
			e.paused, e.stopAt = true, epoch
		}
	}
	return epoch < e.end && (!e.paused || epoch < e.stopAt), e.err
}

// add is called by each worker at the end of each of its epochs.
func (e *epochs) add(worker, epoch int, loss float64, numbers []float64, at *place) {
	at.does(waiting)
	e.mu.Lock()
	defer e.mu.Unlock()
	t := &e.told[epoch]
	if t.losses == nil {
		t.losses, t.tallies = make([]float64, e.workers), make([][]float64, e.workers)
	}
	t.losses[worker], t.tallies[worker] = loss, append([]float64{}, numbers...)
	t.workers++
	for e.many < len(e.told) && e.told[e.many].workers == e.workers {
		e.judge(e.many, at)
		e.many++
	}
	e.judged.Broadcast()
}

// judge tells of an epoch that all have finished, and finds out whether it is the last that was needed.
func (e *epochs) judge(epoch int, at *place) {
	t := e.told[epoch]
	for _, x := range t.losses {
		e.sums[epoch] += x
	}
	e.told[epoch] = tally{workers: t.workers}
	if e.tell != nil {
		e.tell(epoch, e.sums[epoch])
	}
	if e.done == nil || e.found {
		return
	}
	at.does(judging)
	if e.done(epoch, e.sums[epoch], t.tallies) && !e.free {
		e.found, e.end = true, min(e.end, epoch+e.lag+1)
	}
	at.does(waiting)
}

// stop has all that wait give up.
func (e *epochs) stop(err error) {
	e.mu.Lock()
	e.err = err
	e.mu.Unlock()
	e.judged.Broadcast()
}
