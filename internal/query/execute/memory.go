package execute

import (
	"context"
	"errors"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// holdings are the bytes that a run holds. They are taken from its account in blocks: most
// operators ask for a few bytes a row.
type holdings struct {
	limits    Limits
	account   *memory.Account // nil: only the limits count
	held      int64
	taken     int64 // of the account, at least held
	temporary int64 // of held: values that nobody keeps
	small     int64 // bytes of small values that are not yet held
}

// within tells whether the limit allows for so many bytes more.
func (h *holdings) within(bytes int64) bool {
	return h.limits.Memory <= 0 || h.held+bytes <= h.limits.Memory
}

// block is how much is taken at once. It grows with what is held.
func (h *holdings) block() int64 { return min(max(h.held/8, 8<<10), 1<<20) }

// take makes sure that the account has given bytes more than are held.
func (h *holdings) take(ctx context.Context, bytes int64) error {
	if h.tryTake(bytes) {
		return nil
	}
	need := h.held + bytes - h.taken
	err := h.account.Take(ctx, need)
	if err == nil {
		h.taken += need
	}
	return err
}

// tryTake is take without waiting.
func (h *holdings) tryTake(bytes int64) bool {
	need := h.held + bytes - h.taken
	if need <= 0 || h.account == nil {
		return true
	}
	block := max(need, h.block())
	if !h.account.TryTake(block) {
		return false
	}
	h.taken += block
	return true
}

// drop lets go of bytes, and gives back what is not needed soon.
func (h *holdings) drop(bytes int64) {
	h.held -= bytes
	if spare := h.taken - h.held - h.block(); spare > h.block() && h.account != nil {
		h.taken -= spare
		h.account.Give(spare)
	}
}

// handOver leaves bytes that are held to whoever gives them back to the account.
func (h *holdings) handOver(bytes int64) {
	h.held -= bytes
	h.taken -= bytes
}

// close gives everything back.
func (h *holdings) close() {
	if h.account != nil {
		h.account.Give(h.taken)
	}
	h.held, h.taken, h.temporary = 0, 0, 0
}

// fits tells whether bytes can be held now, without waiting.
func (f *frame) fits(bytes int64) bool { return f.memory.within(bytes) && f.memory.tryTake(bytes) }

// hold charges bytes to the operator of that name, before they are allocated. It fails when the
// limit would be passed, or the account gives no more.
func (f *frame) hold(operator string, bytes int64) error {
	m := &f.memory
	if !m.within(bytes) {
		return fault.Met(fault.MemoryLimit, "MemoryLimit", "%s needs more than the %s that a statement may hold: ask for less at once, or raise the limit",
			operator, humanize.IBytes(uint64(m.limits.Memory)))
	}
	if err := m.take(f.ctx, bytes); err != nil {
		return refused(operator, err)
	}
	m.held += bytes
	return nil
}

// refused is why an account gives no more.
func refused(operator string, err error) error {
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

func (f *frame) release(bytes int64) { f.memory.drop(bytes) }

// large is from how many bytes on a value counts that nobody keeps.
const large = 64 << 10

// transient charges a value that is about to be made and not kept: until the row that it is made
// for is done with.
func (f *frame) transient(bytes int64) error {
	if bytes <= large {
		return nil
	}
	err := f.hold("a value", bytes)
	if err == nil {
		f.memory.temporary += bytes
	}
	return err
}

// accrue charges small parts of a value, once they are many.
func (f *frame) accrue(bytes int64) error {
	f.memory.small += bytes
	if f.memory.small <= large {
		return nil
	}
	bytes, f.memory.small = f.memory.small, 0
	return f.transient(bytes)
}

// pass emits a row, and lets go of the values that were made for it.
func (f *frame) pass(next emit) error {
	before := f.memory.temporary
	err := next()
	if f.memory.temporary != before {
		f.settle(before)
	}
	return err
}

// settle lets go of the values that were made since there were so many bytes of them.
func (f *frame) settle(before int64) {
	f.release(f.memory.temporary - before)
	f.memory.temporary = before
}

// become charges a value that is all that is left of those made since there were so many bytes.
func (f *frame) become(before int64, v value.Value) error {
	if f.memory.temporary == before {
		return nil
	}
	f.settle(before)
	return f.transient(v.Size())
}

// deepest is how far lists and maps may be nested: what walks through them uses the stack.
const deepest = 200

// built is a list or map that a statement has put together, unless that is too deep, or too much
// to walk through: what is in it twice counts twice.
func (f *frame) built(v value.Value) (value.Value, error) {
	if v.Depth() > deepest {
		return value.Value{}, fault.Met(fault.MemoryLimit, "MemoryLimit", "lists and maps can't be nested deeper than %d", deepest)
	}
	if err := f.transient(v.Size()); err != nil {
		return value.Value{}, err
	}
	return v, nil
}

// valueBytes is what a Value itself takes.
const valueBytes = 24

// entryBytes is what an entry of a map takes.
const entryBytes = 40

// sizes is about how many bytes values take that are kept.
func sizes(values []value.Value) int64 {
	sum := int64(0)
	for _, v := range values {
		sum += v.Size()
	}
	return sum
}

// contents is what values take beside the slots that they lie in.
func contents(values []value.Value) int64 { return sizes(values) - valueBytes*int64(len(values)) }
