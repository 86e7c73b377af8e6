package stream

import (
	"errors"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// events are a session's timed events, which are used again and again.
type events struct {
	context *driver.Context
	all     []*driver.Event
	spare   []*driver.Event
}

// mark records an event on a stream.
func (e *events) mark(s driver.Stream) (*driver.Event, error) {
	if len(e.spare) == 0 {
		made, err := e.context.NewEvent(true)
		if err != nil {
			return nil, err
		}
		e.all, e.spare = append(e.all, &made), append(e.spare, &made)
	}
	last := len(e.spare) - 1
	event := e.spare[last]
	e.spare = e.spare[:last]
	return event, event.Record(s)
}

// give gives events back that have taken place, or that nobody asks for any more.
func (e *events) give(events ...*driver.Event) { e.spare = append(e.spare, events...) }

func (e *events) destroy() error {
	var errs []error
	for _, event := range e.all {
		errs = append(errs, event.Destroy())
	}
	e.all, e.spare = nil, nil
	return errors.Join(errs...)
}
