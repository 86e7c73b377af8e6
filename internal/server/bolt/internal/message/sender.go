package message

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/wire"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
	"github.com/penstock-db/penstock/internal/server/status"
)

// Sender encodes answers.
type Sender struct {
	Out     *wire.Writer
	Limit   int             // bytes of a row
	Account *memory.Account // has what rows take that are sent at once
}

// Success answers a request.
func (s *Sender) Success(d packstream.Dialect, meta []value.Entry) {
	s.send(d, TagSuccess, value.OfEntries(meta))
}

// Ignored answers a request that comes after a failure.
func (s *Sender) Ignored() { s.send(packstream.Dialect{}, TagIgnored) }

// Failure answers a request that failed.
func (s *Sender) Failure(e *status.Error) {
	fields := []value.Entry{Text("code", e.Status), Text("message", e.Message)}
	s.send(packstream.Dialect{}, TagFailure, value.OfEntries(fields))
}

func (s *Sender) send(d packstream.Dialect, tag byte, fields ...value.Value) {
	s.Out.Message(s.Limit, 0, func(dst []byte) []byte { return d.AppendStruct(dst, tag, fields...) })
}

// Rows sends rows in a dialect.
func (s *Sender) Rows(d packstream.Dialect) *RowSender { return &RowSender{sender: s, dialect: d} }

// RowSender sends rows, each as a record.
type RowSender struct {
	sender  *Sender
	dialect packstream.Dialect
}

// SendRow fails when the row is too large, or the client does not take it.
func (r *RowSender) SendRow(ctx context.Context, row []value.Value) error {
	bytes := RecordBytes(row)
	return r.sender.record(ctx, bytes, func(dst []byte) []byte { return r.dialect.AppendRow(dst, TagRecord, row) })
}

// SendRecord sends a row that is encoded already.
func (r *RowSender) SendRecord(ctx context.Context, record []byte) error {
	return r.sender.record(ctx, int64(len(record)), func(dst []byte) []byte { return append(dst, record...) })
}

// record sends a record of about so many bytes. A large one is sent before this returns, so its memory is taken for
// that time.
func (s *Sender) record(ctx context.Context, bytes int64, encode func([]byte) []byte) error {
	if bytes > wire.Full {
		if err := s.Account.Take(ctx, bytes); err != nil {
			return err
		}
		defer s.Account.Give(bytes)
	}
	if !s.Out.Message(s.Limit, int(bytes), encode) {
		return status.Errorf(status.ExecutionFailed, "a row takes more than the %d bytes that a connection may", s.Limit)
	}
	return s.Out.Err()
}

// RecordBytes is about what a row takes as a message: no more than as values, as far as these
// are not tiny.
func RecordBytes(row []value.Value) int64 {
	const head = 16
	bytes := int64(head)
	for _, v := range row {
		bytes += v.Size()
	}
	return bytes
}
