package chain

import (
	"context"

	"github.com/penstock-db/penstock/host/internal/execute"
)

// Apart are the devices of a run that have no state of vertices in common: each does its own commands, as a chain of
// one.
type Apart []*Chain

// NewApart opens streams to all devices.
func NewApart(ctx context.Context, r Config) (all Apart) {
	for i := range r.Group.Devices {
		all = append(all, talk(ctx, r, r.Group.Devices[i:i+1]))
	}
	return all
}

// Devices are what executors send commands to.
func (a Apart) Devices() (all []execute.Device) {
	for _, c := range a {
		all = append(all, c)
	}
	return all
}

// Waiting tells whether a device owes an answer.
func (a Apart) Waiting() bool {
	for _, c := range a {
		if c.Waiting() {
			return true
		}
	}
	return false
}

// Finish tells the devices that there are no more commands, and waits for them to leave.
func (a Apart) Finish() error {
	for _, c := range a {
		if err := c.Finish(); err != nil {
			return err
		}
	}
	return nil
}

// Wait waits until no device listens any more.
func (a Apart) Wait() {
	for _, c := range a {
		c.Wait()
	}
}
