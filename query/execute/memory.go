package execute

import (
	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/query/fault"
)

// memory counts the bytes that operators hold.
type memory struct {
	limits Limits
	held   int64
}

// fits tells whether bytes can be held.
func (f *frame) fits(bytes int64) bool {
	m := &f.memory
	return m.limits.Memory <= 0 || m.held+bytes <= m.limits.Memory
}

// hold charges bytes to the operator of that name. It fails when the limit would be passed.
func (f *frame) hold(operator string, bytes int64) error {
	m := &f.memory
	if !f.fits(bytes) {
		return fault.Met(fault.MemoryLimit, "MemoryLimit", "%s needs more than the %s that a statement may hold: ask for less at once, or raise the limit",
			operator, humanize.IBytes(uint64(m.limits.Memory)))
	}
	m.held += bytes
	return nil
}

func (f *frame) release(bytes int64) { f.memory.held -= bytes }

// transient looks whether bytes would fit, for a value that is not kept for long.
func (f *frame) transient(bytes int64) error {
	err := f.hold("a value", bytes)
	if err == nil {
		f.release(bytes)
	}
	return err
}

// deepest is how far lists and maps may be nested: what walks through them uses the stack.
const deepest = 200

// built is a list or map that a statement has put together, unless that is too deep, or too much
// to walk through: what is in it twice counts twice.
func (f *frame) built(v value.Value) (value.Value, error) {
	const large = 64 << 10
	var err error
	switch size := v.Size(); {
	case v.Depth() > deepest:
		err = fault.Met(fault.MemoryLimit, "MemoryLimit", "lists and maps can't be nested deeper than %d", deepest)
	case size > large:
		err = f.transient(size)
	}
	if err != nil {
		return value.Value{}, err
	}
	return v, nil
}

// valueBytes is what a Value itself takes.
const valueBytes = 24

// sizes is about how many bytes values take that are kept.
func sizes(values []value.Value) int64 {
	sum := int64(0)
	for _, v := range values {
		sum += v.Size()
	}
	return sum
}
