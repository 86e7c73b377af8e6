package mega

import "github.com/penstock-db/penstock/plugins/mega/internal/commons"

// epochs adds up what workers tell of each epoch, and lets none begin one behind the last. Each of several processes
// does so for itself, by what the workers of all have told, and comes to the same.
type epochs struct {
	commons.Monitor
	tell func(epoch int, loss float64)
	done func(epoch int, loss float64, tallies [][]float64) bool
	// lag is how many epochs a worker may begin before it must know whether an earlier one was the last: as many as the
	// slack lets it be ahead. So all of them end with the same epoch, and wait no longer than their clocks have them.
	lag      int
	free     bool        // nothing bounds the slack: that an epoch was the last would come too late
	finished []int64     // by worker, how many epochs
	losses   [][]float64 // by worker and epoch, so that sums have one order
	tallies  [][]float64 // by worker and epoch, one behind the other
	sums     []float64
	many     int // epochs that all workers have finished, and that have been judged
	// begun is the last epoch that a worker has begun, and stop, if it is above from, the one before which they stop.
	begun, halt *int64
	from        int         // the epoch with which the run goes on
	pause       func() bool // says whether to stop before the next epoch; nil: never
	end         int         // the first epoch that no worker begins
	found       bool        // done has said so
	err         error       // what has stopped the workers of this process
}

// newEpochs has a worker be so many epochs ahead, of which each tallies so many numbers.
func newEpochs(c *commons.Memory, o Options, done func(int, float64, [][]float64) bool, tallied, lag int) *epochs {
	e := &epochs{Monitor: commons.NewMonitor(c), tell: o.Epoch, done: done, sums: make([]float64, o.Epochs), end: o.Epochs,
		pause: o.Pause, free: o.Slack == Asynchronous, finished: commons.Take[int64](c, o.Workers)}
	marks := commons.Take[int64](c, 2)
	e.begun, e.halt = &marks[0], &marks[1]
	for range o.Workers {
		e.losses = append(e.losses, commons.Take[float64](c, o.Epochs))
		e.tallies = append(e.tallies, commons.Take[float64](c, o.Epochs*tallied))
	}
	if e.lag = o.Epochs; done != nil && !e.free {
		e.lag = lag
	}
	return e
}

// begin says whether a worker may begin an epoch. It waits for what it must know for that.
func (e *epochs) begin(epoch int, at *place) (bool, error) {
	e.Lock()
	defer e.Unlock()
	for e.judge(at); e.err == nil && e.many < epoch-e.lag; e.judge(at) {
		e.Wait()
	}
	if int64(epoch) > *e.begun {
		*e.begun = int64(epoch)
		if e.pause != nil && !e.paused() && e.pause() {
			*e.halt = int64(epoch)
		}
	}
	return epoch < e.end && (!e.paused() || int64(epoch) < *e.halt), e.err
}

// paused says whether the run stops before its end.
func (e *epochs) paused() bool { return *e.halt > int64(e.from) }

// add is called by each worker at the end of each of its epochs.
func (e *epochs) add(worker, epoch int, loss float64, numbers []float64, at *place) {
	at.does(waiting)
	e.Lock()
	defer e.Unlock()
	e.losses[worker][epoch] = loss
	copy(e.tallies[worker][epoch*len(numbers):], numbers)
	e.finished[worker]++
	e.judge(at)
	e.Broadcast()
}

// judge tells of the epochs that all have finished, one after the other, and finds out whether one is the last that was
// needed.
func (e *epochs) judge(at *place) {
	for ; e.many < len(e.sums) && e.all(e.many); e.many++ {
		epoch := e.many
		e.sums[epoch] = 0
		for _, each := range e.losses {
			e.sums[epoch] += each[epoch]
		}
		if e.tell != nil {
			e.tell(epoch, e.sums[epoch])
		}
		if e.done == nil || e.found {
			continue
		}
		at.does(judging)
		if e.done(epoch, e.sums[epoch], e.told(epoch)) && !e.free {
			e.found, e.end = true, min(e.end, epoch+e.lag+1)
		}
		at.does(waiting)
	}
}

// all says whether all workers have finished an epoch.
func (e *epochs) all(epoch int) bool {
	for _, n := range e.finished {
		if n <= int64(epoch) {
			return false
		}
	}
	return true
}

// told are the tallies of an epoch, by worker.
func (e *epochs) told(epoch int) [][]float64 {
	tallies := make([][]float64, len(e.tallies))
	for k, each := range e.tallies {
		n := len(each) / len(e.sums)
		tallies[k] = each[epoch*n:][:n:n]
	}
	return tallies
}

// settled judges what all have told: all workers have ended.
func (e *epochs) settled(at *place) {
	e.Lock()
	defer e.Unlock()
	e.judge(at)
}

// restored tells of the epochs before from once more.
func (e *epochs) restored(from int) {
	e.many = from
	for epoch := range from {
		if e.tell != nil {
			e.tell(epoch, e.sums[epoch])
		}
	}
}

// stop has all of this process that wait give up.
func (e *epochs) stop(err error) {
	e.Lock()
	e.err = err
	e.Unlock()
	e.Broadcast()
}
