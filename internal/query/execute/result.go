package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// result gives out copies of rows, with nodes and relationships made whole.
func (b *builder) result(o *plan.Result, next emit) emit {
	f, yield := b.frame, b.yield
	if len(o.Slots) == 0 {
		return b.operator(o.Input, nothing) // there are no columns
	}
	return b.operator(o.Input, func() error {
		before := f.memory.temporary
		row := make([]value.Value, len(o.Slots))
		for i, slot := range o.Slots {
			v, err := f.complete(f.row[slot])
			if err != nil {
				return err
			}
			row[i] = v
		}
		bytes, err := f.away(before, row)
		if err != nil {
			return err
		}
		if err := yield(row, bytes); err != nil {
			return err
		}
		return next()
	})
}

// away charges a row that is given out, in place of the values that were made for it, and leaves
// the bytes to whoever gets it.
func (f *frame) away(before int64, row []value.Value) (int64, error) {
	const slice = 24
	bytes := sizes(row) + slice
	made := f.memory.temporary - before
	if err := f.hold("a row", max(0, bytes-made)); err != nil {
		return 0, err
	}
	f.release(max(0, made-bytes))
	f.memory.temporary = before
	f.memory.small = 0
	f.memory.handOver(bytes)
	return bytes, nil
}
