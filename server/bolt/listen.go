package bolt

import "errors"

// listen puts the client's messages into the queue, and tells at once of a RESET and of the end.
func (s *session) listen() {
	for {
		message, err := s.frames.next()
		if err != nil {
			s.unheard(err)
			return
		}
		if isReset(message) {
			s.interrupts.arrived()
		}
		if s.requests.put(s.ctx, message) != nil {
			return
		}
	}
}

// unheard ends the session, for nothing can be read any more. A client that is gone holds
// nothing back: what is being written to it fails, too.
func (s *session) unheard(err error) {
	var f *Failure
	switch {
	case errors.As(err, &f):
		s.end(f)
	case s.ctx.Err() == nil:
		s.end(errGone)
		s.conn.Close()
	}
}
