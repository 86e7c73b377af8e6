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

// valueBytes is what a Value itself takes.
const valueBytes = 24

// sizes is about how many bytes values take that are kept.
func sizes(values []value.Value) int64 {
	sum := int64(0)
	for _, v := range values {
		sum += size(v)
	}
	return sum
}

func size(v value.Value) int64 {
	const boxed = 48 // what is behind temporal values and points
	switch v.Kind() {
	case value.Null, value.Bool, value.Int, value.Float, value.Node, value.Relationship, value.Date, value.LocalTime:
		return valueBytes
	case value.String:
		return valueBytes + int64(len(v.Str()))
	case value.List:
		return valueBytes + sizes(v.List())
	case value.Map:
		sum := int64(valueBytes)
		for _, e := range v.Map() {
			sum += int64(len(e.Key)) + 16 + size(e.Value)
		}
		return sum
	case value.Path:
		p := v.Path()
		return valueBytes + sizes(p.Nodes) + sizes(p.Relationships)
	}
	return valueBytes + boxed
}
