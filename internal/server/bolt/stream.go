package bolt

import (
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/backend"
)

// stream is a result that a client takes in parts.
type stream struct {
	result  backend.Result
	started time.Time
	account *memory.Account
	late    *time.Timer // ends the statement
	params  int64       // bytes of the account that the statement's parameters take
	ahead   bool        // the result is at a row that was not sent yet
	kept    *kept       // rows that had to be read before the client wanted them; nil: none
}

// take sends n rows; -1: all. It tells whether there are more.
func (s *stream) take(n int64, to rows) (more bool, err error) {
	for n != 0 && s.kept.more() {
		if err := to.sendKept(s.kept.next()); err != nil {
			return false, err
		}
		n--
	}
	for ; n != 0; n-- {
		if !s.next() {
			return false, s.result.Err()
		}
		if err := to.sendRow(s.result.Row()); err != nil {
			return false, err
		}
	}
	return s.more()
}

func (s *stream) next() bool {
	if s.ahead {
		s.ahead = false
		return true
	}
	return s.result.Next()
}

func (s *stream) more() (bool, error) {
	if s.kept.more() {
		return true, nil
	}
	s.ahead = s.ahead || s.result.Next()
	return s.ahead, s.result.Err()
}

// skip passes n rows over; -1: all, for which none needs to be read.
func (s *stream) skip(n int64) (more bool, err error) {
	if n == -1 {
		return false, nil
	}
	return s.take(n, nowhere{})
}

// keep reads what is left, so that another statement can run.
func (s *stream) keep(as *kept) error {
	if s.kept != nil {
		return nil
	}
	_, err := s.take(-1, as)
	s.kept = as
	return err
}

// rows is where rows go.
type rows interface {
	sendRow(row []value.Value) error
	sendKept(record []byte) error
}

type nowhere struct{}

func (nowhere) sendRow([]value.Value) error { return nil }
func (nowhere) sendKept([]byte) error       { return nil }

// finish closes the result and says what there is to say.
func (s *stream) finish(graph string) ([]value.Entry, error) {
	defer s.release()
	if err := s.result.Close(); err != nil {
		return nil, err
	}
	meta := append(summaryMetadata(s.result.Summary()), integer("t_last", time.Since(s.started).Milliseconds()))
	if graph != "" {
		meta = append(meta, text("db", graph))
	}
	return meta, nil
}

// abandon closes a result that nobody wants any more: its context is done.
func (s *stream) abandon() {
	_ = s.result.Close()
	s.release()
}

// release gives back what the stream itself takes; done again, it does nothing.
func (s *stream) release() {
	s.late.Stop()
	s.account.Give(s.params)
	s.params = 0
	s.kept.drop()
	s.kept = nil
}
