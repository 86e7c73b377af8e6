package halving

import "time"

// The devices, as indices.
const (
	edges = 0 // has the lists, and can compute rows as well
	rows  = 1 // computes rows alone
)

// trials is how often each device computes the rows of a group before one is chosen. The first time is of a device that
// has just begun, so that the least counts.
const trials = 2

// choice is which device computes the rows of a group.
type choice struct {
	times [2]int
	least [2]time.Duration
}

// device is the one that is chosen for the next run: in turn, until each has been tried; then the quicker.
func (c *choice) device() int {
	switch {
	case c.times[rows] < trials && c.times[rows] <= c.times[edges]:
		return rows
	case c.times[edges] < trials:
		return edges
	case c.least[rows] <= c.least[edges]:
		return rows
	}
	return edges
}

// took takes note of a run.
func (c *choice) took(device int, time time.Duration) {
	if c.times[device] == 0 || time < c.least[device] {
		c.least[device] = time
	}
	c.times[device]++
}
