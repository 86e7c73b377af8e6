package stream

import (
	"time"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Work is what a command has put into the queues.
type Work struct {
	Began  *driver.Event // nil: the card is not asked
	Copied *driver.Event // of an upload; nil: nothing is
	Done   *driver.Event
	Finish func(*plugins.Event) error // completes the command's event, once it is done; may be nil
}

// Timed does something between two events on a stream.
func (s *Streams) Timed(on driver.Stream, do func() error) (w *Work, err error) {
	w = &Work{}
	if w.Began, err = s.Mark(on); err != nil {
		return nil, err
	}
	if err = do(); err != nil {
		return nil, err
	}
	w.Done, err = s.Mark(on)
	return w, err
}

// IsDone tells whether the card has done it.
func (w *Work) IsDone() (bool, error) {
	if w.Done == nil {
		return true, nil
	}
	return w.Done.Query()
}

// Took says how long the card took for work that is done, and recycles its events.
func (s *Streams) Took(w *Work) (time.Duration, error) {
	took, err := w.Done.Since(*w.Began)
	s.Recycle(w.Began, w.Done)
	return took, err
}
