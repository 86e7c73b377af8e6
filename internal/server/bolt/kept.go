package bolt

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
	"github.com/penstock-db/penstock/internal/server/status"
)

// kept is the rows of a result that is not read to its end while the next statement of its
// transaction is to run. They are records already, so that what they take is known.
type kept struct {
	ctx     context.Context
	account *memory.Account
	dialect packstream.Dialect
	limit   int // bytes
	records []byte
	ends    []int // of each
	sent    int   // how many of them
}

func (k *kept) sendRow(row []value.Value) error {
	if err := k.grow(int(recordBytes(row))); err != nil {
		return err
	}
	k.records = k.dialect.AppendRow(k.records, tagRecord, row)
	k.ends = append(k.ends, len(k.records))
	if k.size() > k.limit {
		return status.Errorf(status.ExecutionFailed, "the rows that earlier statements of the transaction have left take more than %d bytes: read them before", k.limit)
	}
	return nil
}

// grow makes room for a record of so many bytes, and takes the memory for it before.
func (k *kept) grow(bytes int) error {
	if len(k.records)+bytes <= cap(k.records) && len(k.ends) < cap(k.ends) {
		return nil
	}
	records := max(cap(k.records), len(k.records)+bytes, len(k.records)+len(k.records)/2)
	ends := max(16, 2*len(k.ends))
	if err := k.account.Take(k.ctx, int64(records+8*ends)); err != nil {
		return err
	}
	before := k.taken()
	k.records = append(make([]byte, 0, records), k.records...)
	k.ends = append(make([]int, 0, ends), k.ends...)
	k.account.Give(before)
	return nil
}

func (k *kept) taken() int64 { return int64(cap(k.records) + 8*cap(k.ends)) }

// drop gives everything back.
func (k *kept) drop() {
	if k != nil {
		k.account.Give(k.taken())
		k.records, k.ends, k.sent = nil, nil, 0
	}
}

// sendKept is never called: what is kept is not kept again.
func (k *kept) sendKept([]byte) error { panic("bolt: rows are kept twice") }

func (k *kept) more() bool { return k != nil && k.sent < len(k.ends) }

// next is the next record.
func (k *kept) next() []byte {
	from := 0
	if k.sent > 0 {
		from = k.ends[k.sent-1]
	}
	k.sent++
	return k.records[from:k.ends[k.sent-1]]
}

func (k *kept) size() int {
	if k == nil {
		return 0
	}
	return len(k.records) + 8*len(k.ends)
}
