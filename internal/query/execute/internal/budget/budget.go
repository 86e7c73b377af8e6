// Package budget counts the bytes that a run of a statement holds: what it may hold by its limit and
// by the account of its session, what its operators hold, and the values that are made for a row and
// dropped with it.
package budget

import (
	"context"
	"errors"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// Budget is the bytes that a run holds. They are taken from its account in blocks: most operators
// ask for a few bytes a row.
type Budget struct {
	ctx       context.Context
	limit     int64           // bytes; 0: none
	account   *memory.Account // nil: only the limit counts
	held      int64
	taken     int64 // of the account, at least held
	temporary int64 // of held: values that are dropped with their row
	small     int64 // bytes of small values that are not yet held
}

// New is a budget of at most limit bytes (0: no limit), which are taken from an account (nil: from none).
// Waiting for the account ends with the context.
func New(ctx context.Context, limit int64, account *memory.Account) *Budget {
	return &Budget{ctx: ctx, limit: limit, account: account}
}

// Part is the budget of one of several goroutines that divide what is left by shares.
func (b *Budget) Part(ctx context.Context, shares int64) *Budget {
	limit := b.limit
	if limit > 0 {
		limit = max(1, (limit-b.held)/shares)
	}
	return New(ctx, limit, b.account)
}

// Within tells whether the limit allows for so many bytes more.
func (b *Budget) Within(bytes int64) bool { return b.limit <= 0 || b.held+bytes <= b.limit }

// WithinHalf is Within with half of the limit left over.
func (b *Budget) WithinHalf(bytes int64) bool { return b.Within(bytes + b.limit/2) }

// Fits tells whether bytes can be held now, without waiting.
func (b *Budget) Fits(bytes int64) bool { return b.Within(bytes) && b.tryTake(bytes) }

// block is how much is taken at once. It grows with what is held.
func (b *Budget) block() int64 { return min(max(b.held/8, 8<<10), 1<<20) }

// take makes sure that the account has given bytes more than are held.
func (b *Budget) take(bytes int64) error {
	if b.tryTake(bytes) {
		return nil
	}
	need := b.held + bytes - b.taken
	err := b.account.Take(b.ctx, need)
	if err == nil {
		b.taken += need
	}
	return err
}

// tryTake is take without waiting.
func (b *Budget) tryTake(bytes int64) bool {
	need := b.held + bytes - b.taken
	if need <= 0 || b.account == nil {
		return true
	}
	block := max(need, b.block())
	if !b.account.TryTake(block) {
		return false
	}
	b.taken += block
	return true
}

// Hold charges bytes to the operator of that name, before they are allocated. It fails when the
// limit would be passed, or the account gives no more.
func (b *Budget) Hold(operator string, bytes int64) error {
	if !b.Within(bytes) {
		return fault.Met(fault.MemoryLimit, "MemoryLimit",
			"%s needs more than the %s that a statement may hold: ask for less at once, or raise the limit",
			operator, humanize.IBytes(uint64(b.limit)))
	}
	if err := b.take(bytes); err != nil {
		return Refused(operator, err)
	}
	b.held += bytes
	return nil
}

// Refused is why an account gives no more.
func Refused(operator string, err error) error {
	var full *memory.FullError
	if !errors.As(err, &full) {
		return err
	}
	kind := fault.MemoryPool
	if full.Never {
		kind = fault.MemoryLimit
	}
	f := fault.Met(kind, "MemoryPool", "%s: %s", operator, full)
	f.Err = err
	return f
}

// Release lets go of bytes, and gives back to the account what is not needed soon.
func (b *Budget) Release(bytes int64) {
	b.held -= bytes
	if spare := b.taken - b.held - b.block(); spare > b.block() && b.account != nil {
		b.taken -= spare
		b.account.Give(spare)
	}
}

// Close gives everything back.
func (b *Budget) Close() {
	if b.account != nil {
		b.account.Give(b.taken)
	}
	b.held, b.taken, b.temporary = 0, 0, 0
}

// large is from how many bytes on a value counts that is dropped with its row.
const large = 64 << 10

// Transient charges a value that is about to be made, until the row that it is made for is done with.
func (b *Budget) Transient(bytes int64) error {
	if bytes <= large {
		return nil
	}
	err := b.Hold("a value", bytes)
	if err == nil {
		b.temporary += bytes
	}
	return err
}

// Temporary is how many bytes Transient has charged that are still held: what Settle goes back to.
func (b *Budget) Temporary() int64 { return b.temporary }

// Accrue charges small parts of a value, once they are many.
func (b *Budget) Accrue(bytes int64) error {
	b.small += bytes
	if b.small <= large {
		return nil
	}
	bytes, b.small = b.small, 0
	return b.Transient(bytes)
}

// Settle lets go of the values that were made since there were so many bytes of them.
func (b *Budget) Settle(before int64) {
	if b.temporary != before {
		b.Release(b.temporary - before)
		b.temporary = before
	}
}

// Become charges a value that is all that is left of those made since there were so many bytes.
func (b *Budget) Become(before int64, v value.Value) error {
	if b.temporary == before {
		return nil
	}
	b.Settle(before)
	return b.Transient(v.Size())
}

// HandOver charges a row that is given out, in place of the values that were made for it since there
// were so many bytes of them. The bytes are then its receiver's to give back to the account.
func (b *Budget) HandOver(before int64, row []value.Value) (int64, error) {
	const slice = 24
	bytes := Sizes(row) + slice
	made := b.temporary - before
	if err := b.Hold("a row", max(0, bytes-made)); err != nil {
		return 0, err
	}
	b.Release(max(0, made-bytes))
	b.temporary, b.small = before, 0
	b.held -= bytes
	b.taken -= bytes
	return bytes, nil
}

// deepest is how far lists and maps may be nested: what walks through them uses the stack.
const deepest = 200

// Built is a list or map that a statement has put together, unless that is too deep, or too much
// to walk through: what is in it twice counts twice.
func (b *Budget) Built(v value.Value) (value.Value, error) {
	if v.Depth() > deepest {
		return value.Value{}, fault.Met(fault.MemoryLimit, "MemoryLimit", "lists and maps can't be nested deeper than %d",
			deepest)
	}
	if err := b.Transient(v.Size()); err != nil {
		return value.Value{}, err
	}
	return v, nil
}
