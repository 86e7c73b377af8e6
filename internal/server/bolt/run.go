package bolt

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// run starts a statement, in the open transaction or as one of its own.
func (s *session) run(ctx context.Context, fields []value.Value) ([]value.Entry, error) {
	started := time.Now()
	params, err := s.parameters(fields[1])
	if err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, fields[2]); err != nil {
		return nil, err
	}
	statement := fields[0].Str()
	late := s.work.within(s.server.options.Limits.Statement)
	s.work.listed.Run(s.server.options.Shown(statement))
	result, err := s.start(statement, params)
	if err != nil {
		late.Stop()
		return nil, err
	}
	id := s.work.open(&stream{result: result, started: started, late: late, account: s.account, params: s.decoded})
	s.decoded = 0
	meta := []value.Entry{
		entry("fields", texts(result.Columns())),
		integer("t_first", time.Since(started).Milliseconds()),
	}
	if s.work.tx != nil {
		meta = append(meta, integer("qid", id))
	}
	return meta, nil
}

// prepare makes work of a statement that is a transaction, or has that of the transaction ready.
func (s *session) prepare(ctx context.Context, extra value.Value) error {
	if s.work != nil {
		return s.work.keepRows(s)
	}
	settings, err := s.settings(ctx, extra)
	if err == nil {
		s.work = s.newWork(ctx, settings)
	}
	return err
}

func (s *session) start(statement string, params map[string]value.Value) (backend.Result, error) {
	w := s.work
	switch result, err := s.command(w.ctx, statement, params); {
	case result != nil || err != nil:
		return result, err
	case w.tx != nil:
		return w.tx.Run(w.ctx, statement, params)
	default:
		return s.server.database.Run(w.ctx, w.graph, w.access, statement, params)
	}
}

func (s *session) parameters(m value.Value) (map[string]value.Value, error) {
	const perEntry = 96 // bytes of a Go map, about, while it grows
	if err := s.decoding(perEntry * len(m.Map())); err != nil {
		return nil, err
	}
	params := make(map[string]value.Value, len(m.Map()))
	for _, e := range m.Map() {
		if kind := e.Value.Kind(); kind == value.Node || kind == value.Relationship || kind == value.Path {
			return nil, status.Errorf(status.RequestInvalid, "the parameter $%s is a %s: give its id instead", e.Key, kind)
		}
		params[e.Key] = e.Value
	}
	return params, nil
}

// pull sends rows of a result.
func (s *session) pull(_ context.Context, fields []value.Value) ([]value.Entry, error) {
	return s.advance(fields[0], func(st *stream, n int64) (bool, error) { return st.take(n, s) })
}

// discard passes rows of a result over.
func (s *session) discard(_ context.Context, fields []value.Value) ([]value.Entry, error) {
	return s.advance(fields[0], (*stream).skip)
}

// advance goes n rows on in a result; at its end it is closed.
func (s *session) advance(extra value.Value, by func(st *stream, n int64) (more bool, err error)) ([]value.Entry, error) {
	if err := s.work.ended(); err != nil {
		return nil, err
	}
	n := integerOf(extra, "n", 0)
	if n == 0 || n < -1 {
		return nil, status.Violation("n, the number of rows, must be -1 or above 0")
	}
	id, st, err := s.work.find(integerOf(extra, "qid", -1))
	if err != nil {
		return nil, err
	}
	more, err := by(st, n)
	if err != nil {
		return nil, err
	}
	if more {
		return []value.Entry{entry("has_more", value.OfBool(true))}, nil
	}
	return s.finish(id, st)
}

// finish ends a result, and with it the work that consists of nothing else.
func (s *session) finish(id int64, st *stream) ([]value.Entry, error) {
	meta, err := st.finish(s.work.graph)
	if err != nil {
		return nil, err
	}
	s.work.closed(id)
	if s.work.tx == nil {
		s.abandon()
	}
	return meta, nil
}

// sendRow fails when the row is too large, or the client does not take it.
func (s *session) sendRow(row []value.Value) error {
	limit, bytes := s.server.options.Limits.Memory, recordBytes(row)
	if bytes > full { // it is sent before this returns
		if err := s.account.Take(s.ctx, bytes); err != nil {
			return err
		}
		defer s.account.Give(bytes)
	}
	if !s.out.message(limit, int(bytes), func(dst []byte) []byte { return s.dialect.AppendRow(dst, tagRecord, row) }) {
		return status.Errorf(status.ExecutionFailed, "a row takes more than the %d bytes that a connection may", limit)
	}
	return s.out.failed()
}

func (s *session) sendKept(record []byte) error {
	if len(record) > full {
		if err := s.account.Take(s.ctx, int64(len(record))); err != nil {
			return err
		}
		defer s.account.Give(int64(len(record)))
	}
	s.out.message(s.server.options.Limits.Memory, len(record), func(dst []byte) []byte { return append(dst, record...) })
	return s.out.failed()
}

// recordBytes is about what a row takes as a message: no more than as values, as far as these
// are not tiny.
func recordBytes(row []value.Value) int64 {
	const head = 16
	bytes := int64(head)
	for _, v := range row {
		bytes += v.Size()
	}
	return bytes
}
