package driver

import (
	"errors"
	"unsafe"

	"gorgonia.org/cu"
)

// Stream is a queue of work of a card: what is put into one is done in that order, beside what is in others.
type Stream struct {
	stream cu.Stream
	pools  bool // of the card: Alloc and Free are queued, too
}

// NewStream makes one of the current context, that waits for no other.
func (c *Context) NewStream() (Stream, error) {
	s := Stream{pools: c.Card.PoolsSupported}
	err := c.during(func() (err error) {
		s.stream, err = cu.MakeStream(cu.NonBlocking)
		return wrap("cuStreamCreate", err)
	})
	return s, err
}

// Synchronize waits until all that is in the stream is done; what went wrong in it is told here, too.
func (s Stream) Synchronize() error { return wrap("cuStreamSynchronize", s.stream.Synchronize()) }

// Wait has what comes after it in the stream wait for the event, if that has been recorded.
func (s Stream) Wait(e Event) error { return wrap("cuStreamWaitEvent", s.stream.Wait(e.event, 0)) }

// Query tells whether all that is in the stream is done.
func (s Stream) Query() (bool, error) { return done("cuStreamQuery", s.stream.Query()) }

// Destroy forgets the stream once all in it is done.
func (s Stream) Destroy() error { return wrap("cuStreamDestroy", s.stream.Destroy()) }

// done is what a query's answer says.
func done(call string, err error) (bool, error) {
	if errors.Is(err, cu.NotReady) {
		return false, nil
	}
	return err == nil, wrap(call, err)
}

// Address is the stream as other libraries take it that put work into it.
func (s Stream) Address() unsafe.Pointer { return unsafe.Pointer(s.stream.C()) }
