package cursor

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
	"github.com/penstock-db/penstock/internal/server/status"
)

// Records is the rows of a result that is not read to its end while the next statement of its
// transaction is to run. They are encoded, so that what they take is known.
type Records struct {
	account *memory.Account
	dialect packstream.Dialect
	limit   int // bytes
	records []byte
	ends    []int // of each
	sent    int   // how many of them
}

// NewRecords takes at most limit bytes from an account.
func NewRecords(account *memory.Account, d packstream.Dialect, limit int) *Records {
	return &Records{account: account, dialect: d, limit: limit}
}

// SendRow adds a row.
func (r *Records) SendRow(ctx context.Context, row []value.Value) error {
	if err := r.grow(ctx, int(message.RecordBytes(row))); err != nil {
		return err
	}
	r.records = r.dialect.AppendRow(r.records, message.TagRecord, row)
	return r.end()
}

// SendRecord adds a row that is encoded already.
func (r *Records) SendRecord(ctx context.Context, record []byte) error {
	if err := r.grow(ctx, len(record)); err != nil {
		return err
	}
	r.records = append(r.records, record...)
	return r.end()
}

// end ends a record.
func (r *Records) end() error {
	r.ends = append(r.ends, len(r.records))
	if r.Size() > r.limit {
		const format = "the rows that earlier statements of the transaction have left take more than %d bytes: read them before"
		return status.Errorf(status.ExecutionFailed, format, r.limit)
	}
	return nil
}

// grow makes room for a record of so many bytes, and takes the memory for it before.
func (r *Records) grow(ctx context.Context, bytes int) error {
	if len(r.records)+bytes <= cap(r.records) && len(r.ends) < cap(r.ends) {
		return nil
	}
	records := max(cap(r.records), len(r.records)+bytes, len(r.records)+len(r.records)/2)
	ends := max(16, 2*len(r.ends))
	if err := r.account.Take(ctx, int64(records+8*ends)); err != nil {
		return err
	}
	before := r.taken()
	r.records = append(make([]byte, 0, records), r.records...)
	r.ends = append(make([]int, 0, ends), r.ends...)
	r.account.Give(before)
	return nil
}

func (r *Records) taken() int64 { return int64(cap(r.records) + 8*cap(r.ends)) }

// drop gives everything back.
func (r *Records) drop() {
	if r != nil {
		r.account.Give(r.taken())
		r.records, r.ends, r.sent = nil, nil, 0
	}
}

func (r *Records) more() bool { return r != nil && r.sent < len(r.ends) }

// next is the next record.
func (r *Records) next() []byte {
	from := 0
	if r.sent > 0 {
		from = r.ends[r.sent-1]
	}
	r.sent++
	return r.records[from:r.ends[r.sent-1]]
}

// Size is how many bytes the records take; of nil, 0.
func (r *Records) Size() int {
	if r == nil {
		return 0
	}
	return len(r.records) + 8*len(r.ends)
}
