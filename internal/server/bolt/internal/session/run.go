package session

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/cursor"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/status"
)

// readParameters reads the parameters of RUN.
func readParameters(_ context.Context, s *Session, st state, r *request) (state, []value.Entry, error) {
	const perEntry = 96 // bytes of a Go map, about, while it grows
	given := r.fields[1].Map()
	if err := r.charge.Take(s.ctx, perEntry*len(given)); err != nil {
		return st, nil, err
	}
	r.params = make(map[string]value.Value, len(given))
	for _, e := range given {
		if kind := e.Value.Kind(); kind == value.Node || kind == value.Relationship || kind == value.Path {
			const format = "the parameter $%s is a %s: give its id instead"
			return st, nil, status.Errorf(status.RequestInvalid, format, e.Key, kind)
		}
		r.params[e.Key] = e.Value
	}
	return st, nil, nil
}

// prepare opens a transaction for a statement that is one of its own. In an open transaction it reads the results
// of earlier statements to their ends.
func prepare(ctx context.Context, s *Session, st state, r *request) (state, []value.Entry, error) {
	if st.open != nil {
		return st, nil, st.open.Buffer(s.service.Limits.Memory, s.account, st.login.dialect)
	}
	return s.openWith(ctx, st, r.fields[2])
}

// run starts a statement.
func run(_ context.Context, _ *Session, st state, r *request) (state, []value.Entry, error) {
	started := time.Now()
	id, columns, err := st.open.Run(r.fields[0].Str(), r.params, r.charge, started)
	if err != nil {
		return st, nil, err
	}
	meta := []value.Entry{
		message.Entry("fields", message.Texts(columns)),
		message.Integer("t_first", time.Since(started).Milliseconds()),
	}
	if st.open.Explicit() {
		meta = append(meta, message.Integer("qid", id))
	}
	return st, meta, nil
}

// pull sends rows of a result.
func pull(_ context.Context, s *Session, st state, r *request) (state, []value.Entry, error) {
	return advance(st, r.fields[0], func(c *cursor.Cursor, n int64) (bool, error) {
		return c.Take(s.ctx, n, s.sender.Rows(st.login.dialect))
	})
}

// discard passes rows of a result over.
func discard(_ context.Context, s *Session, st state, r *request) (state, []value.Entry, error) {
	return advance(st, r.fields[0], func(c *cursor.Cursor, n int64) (bool, error) { return c.Skip(s.ctx, n) })
}

// advance goes n rows on in a result. At its end the result is closed, and with it a transaction that consists of
// nothing else.
func advance(st state, extra value.Value, by func(c *cursor.Cursor, n int64) (more bool, err error)) (
	state, []value.Entry, error) {
	if err := st.open.Err(); err != nil {
		return st, nil, err
	}
	n := message.IntegerOf(extra, "n", 0)
	if n == 0 || n < -1 {
		return st, nil, status.Violation("n, the number of rows, must be -1 or above 0")
	}
	id, c, err := st.open.Find(message.IntegerOf(extra, "qid", -1))
	if err != nil {
		return st, nil, err
	}
	more, err := by(c, n)
	if err != nil {
		return st, nil, err
	}
	if more {
		return st, []value.Entry{message.Entry("has_more", value.OfBool(true))}, nil
	}
	meta, err := st.open.Close(id)
	if err == nil && !st.open.Explicit() {
		st = st.closed()
	}
	return st, meta, err
}
