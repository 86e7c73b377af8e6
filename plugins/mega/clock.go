package mega

import (
	"slices"

	"github.com/penstock-db/penstock/plugins/mega/internal/commons"
)

// clocks lets no worker be further ahead than the slack allows.
type clocks struct {
	commons.Monitor
	slack    int     // negative: no bound
	finished []int64 // by worker, how many clocks
	stopped  error   // what has stopped those of this process
}

func newClocks(c *commons.Memory, workers, slack int) *clocks {
	return &clocks{Monitor: commons.NewMonitor(c), slack: slack, finished: commons.Take[int64](c, workers)}
}

// begin waits until clock t may begin: all have finished clock t − slack − 1, or t − 1 if it meets them. It says how
// many clocks that is before the slowest.
func (c *clocks) begin(t int, meets bool) (ahead int, err error) {
	c.Lock()
	defer c.Unlock()
	slack := c.slack
	if meets {
		slack = 0
	}
	for c.stopped == nil && slack >= 0 && c.least() < t-slack {
		c.Wait()
	}
	return t - c.least(), c.stopped
}

func (c *clocks) least() int { return int(slices.Min(c.finished)) }

// finish says that a worker's updates of its clock are known to their masters.
func (c *clocks) finish(worker int) {
	c.Lock()
	c.finished[worker]++
	c.Unlock()
	c.Broadcast()
}

// stop has all of this process that wait, and that will, give up.
func (c *clocks) stop(err error) {
	c.Lock()
	if c.stopped == nil {
		c.stopped = err
	}
	c.Unlock()
	c.Broadcast()
}
