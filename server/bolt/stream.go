package bolt

import (
	"time"

	"github.com/penstock-db/penstock/formats/value"
)

// stream is a result that a client takes in parts.
type stream struct {
	result  Result
	started time.Time
	ahead   bool // there is a row that was not sent yet
}

// take hands over n rows; -1: all. It tells whether there are more.
func (s *stream) take(n int64, row func([]value.Value) error) (more bool, err error) {
	for ; n != 0; n-- {
		if !s.next() {
			return false, s.result.Err()
		}
		if err := row(s.result.Row()); err != nil {
			return false, err
		}
	}
	s.ahead = s.result.Next()
	return s.ahead, s.result.Err()
}

func (s *stream) next() bool {
	if s.ahead {
		s.ahead = false
		return true
	}
	return s.result.Next()
}

// skip passes n rows over; -1: all. Reading on would change nothing for a statement that
// only reads.
func (s *stream) skip(n int64) (more bool, err error) {
	if n == -1 && s.result.Summary().Type == "r" {
		return false, nil
	}
	return s.take(n, func([]value.Value) error { return nil })
}

// finish closes the result and says what there is to say.
func (s *stream) finish(graph string) ([]value.Entry, error) {
	if err := s.result.Close(); err != nil {
		return nil, err
	}
	meta := append(s.result.Summary().metadata(), integer("t_last", time.Since(s.started).Milliseconds()))
	if graph != "" {
		meta = append(meta, text("db", graph))
	}
	return meta, nil
}

// abandon closes a result that nobody wants any more: its context is done.
func (s *stream) abandon() { _ = s.result.Close() }
