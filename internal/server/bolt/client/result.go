package client

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
)

// patience is how long a server may take to take a request.
const patience = time.Minute

// fetchRows is how many rows are asked for at once.
const fetchRows = 1000

// result is rows that are fetched as they are read.
type result struct {
	client  *Client
	ctx     context.Context
	columns []string
	pulling bool // rows, or word that there are no more, are on their way
	more    bool // the server has more
	row     []value.Value
	summary backend.Summary
	err     error
}

func (r *result) Columns() []string        { return r.columns }
func (r *result) Row() []value.Value       { return r.row }
func (r *result) Err() error               { return r.err }
func (r *result) Summary() backend.Summary { return r.summary }

func (r *result) Next() bool {
	for r.err == nil && (r.pulling || r.more) {
		if !r.pulling {
			r.request(message.TagPull, fetchRows)
		}
		if r.receive() {
			return true
		}
	}
	return false
}

func (r *result) request(tag byte, n int64) {
	r.err = r.client.send(tag, value.OfEntries([]value.Entry{message.Integer("n", n)}))
	r.pulling, r.more = true, false
}

// receive takes a message: a row, or the end of those that were asked for.
func (r *result) receive() (row bool) {
	if r.err != nil {
		return false
	}
	tag, field, err := r.client.receive(r.ctx)
	switch {
	case err != nil:
		r.err, r.pulling = err, false
	case tag == message.TagRecord && field.Kind() == value.List:
		r.row = field.List()
		return true
	default:
		r.pulling, r.more = false, message.At(field, "has_more").Kind() == value.Bool
		r.summary = message.SummaryOf(field)
	}
	return false
}

// Close passes over what is left.
func (r *result) Close() error {
	for r.pulling && r.err == nil {
		r.receive()
	}
	if r.more && r.err == nil {
		r.request(message.TagDiscard, -1)
		r.receive()
	}
	return r.err
}
