package bolt

import (
	"errors"
	"time"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/status"
)

// listen puts the client's messages into the queue, and tells at once of a RESET and of the end.
func (s *session) listen() {
	for {
		bytes, err := s.frames.next(s.ctx)
		m := message{bytes: bytes}
		if errors.As(err, new(*memory.FullError)) {
			m.refused, err = err, nil
		}
		if err != nil {
			s.unheard(err)
			return
		}
		if isReset(bytes) {
			s.interrupts.arrived()
		}
		if s.requests.put(s.ctx, m) != nil {
			return
		}
	}
}

// unheard ends the session, for nothing can be read any more. A client that is gone holds
// nothing back: what is being written to it fails, too.
func (s *session) unheard(err error) {
	var f *status.Error
	switch {
	case errors.As(err, &f):
		s.end(f)
	case s.ctx.Err() == nil:
		s.end(errGone)
		s.conn.Close()
	}
}

// hurry sets the deadline of the next read: the rest of a message has to come soon, as its
// beginning takes memory. Before the client is let in, the deadline of the login holds.
func (s *session) hurry(within bool) error {
	switch {
	case !s.patient.Load():
		return nil
	case within:
		return s.setDeadline(time.Now().Add(s.server.options.Limits.Idle))
	default:
		return s.setDeadline(time.Time{})
	}
}
