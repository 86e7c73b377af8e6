package intervals

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
)

// underway is the last command of a cell, which the device has not done yet.
type underway struct{ done <-chan struct{} } // nil: nothing is under way

// await has wait wait until what it returns is called.
func (u *underway) await() func(plugins.Event) {
	done := make(chan struct{})
	u.done = done
	return func(plugins.Event) { close(done) }
}

// wait waits for what is under way, if anything is.
func (u *underway) wait(ctx context.Context) error {
	if u.done == nil {
		return nil
	}
	select {
	case <-u.done:
		u.done = nil
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
