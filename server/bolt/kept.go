package bolt

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/server/bolt/packstream"
)

// kept is the rows of a result that is not read to its end while the next statement of its
// transaction is to run. They are records already, so that what they take is known.
type kept struct {
	dialect packstream.Dialect
	limit   int // bytes
	records []byte
	ends    []int // of each
	sent    int   // how many of them
}

func (k *kept) sendRow(row []value.Value) error {
	k.records = k.dialect.AppendRow(k.records, tagRecord, row)
	k.ends = append(k.ends, len(k.records))
	if k.size() > k.limit {
		return failure(executionFailed, "the rows that earlier statements of the transaction have left take more than %d bytes: read them before", k.limit)
	}
	return nil
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
