package driver

import (
	"time"

	"gorgonia.org/cu"
)

// Event is a point in a stream.
type Event struct {
	event cu.Event
}

// NewEvent makes one. Those that are timed take a little longer.
func (c *Context) NewEvent(timed bool) (Event, error) {
	flags := cu.DisableTiming
	if timed {
		flags = cu.DefaultEvent
	}
	var e Event
	err := c.during(func() (err error) {
		e.event, err = cu.MakeEvent(flags)
		return wrap("cuEventCreate", err)
	})
	return e, err
}

// Record puts the event into the stream; it takes place once all that came before is done.
func (e Event) Record(s Stream) error { return wrap("cuEventRecord", e.event.Record(s.stream)) }

// Query tells whether it has taken place, or was never recorded.
func (e Event) Query() (bool, error) { return done("cuEventQuery", e.event.Query()) }

// Synchronize waits for it to take place.
func (e Event) Synchronize() error { return wrap("cuEventSynchronize", e.event.Synchronize()) }

// Since is the time from an earlier event to this one. Both are timed and have taken place.
func (e Event) Since(earlier Event) (time.Duration, error) {
	ms, err := earlier.event.Elapsed(e.event)
	return time.Duration(ms * float64(time.Millisecond)), wrap("cuEventElapsedTime", err)
}

// Destroy forgets the event.
func (e Event) Destroy() error { return wrap("cuEventDestroy", cu.DestroyEvent(&e.event)) }
