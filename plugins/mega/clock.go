package mega

import "sync"

// clocks lets no worker be further ahead than the slack allows.
type clocks struct {
	slack    int // negative: no bound
	mu       sync.Mutex
	moved    sync.Cond
	finished []int // by worker, how many clocks
	stopped  error
}

func newClocks(workers, slack int) *clocks {
	c := &clocks{slack: slack, finished: make([]int, workers)}
	c.moved.L = &c.mu
	return c
}

// begin waits until clock t may begin: all have finished clock t − slack − 1.
func (c *clocks) begin(t int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.stopped == nil && c.slack >= 0 && c.least() < t-c.slack {
		c.moved.Wait()
	}
	return c.stopped
}

func (c *clocks) least() int {
	least := c.finished[0]
	for _, n := range c.finished[1:] {
		least = min(least, n)
	}
	return least
}

// finish says that a worker's updates of its clock are known to their masters.
func (c *clocks) finish(worker int) {
	c.mu.Lock()
	c.finished[worker]++
	c.mu.Unlock()
	c.moved.Broadcast()
}

// stop has all that wait, and that will, give up.
func (c *clocks) stop(err error) {
	c.mu.Lock()
	if c.stopped == nil {
		c.stopped = err
	}
	c.mu.Unlock()
	c.moved.Broadcast()
}
