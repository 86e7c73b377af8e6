package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/query/plan"
)

// result gives out copies of rows, with nodes and relationships made whole.
func (b *builder) result(o *plan.Result, next emit) emit {
	f, yield := b.frame, b.yield
	if len(o.Slots) == 0 {
		return b.operator(o.Input, nothing) // there are no columns
	}
	return b.operator(o.Input, func() error {
		row := make([]value.Value, len(o.Slots))
		for i, slot := range o.Slots {
			v, err := f.complete(f.row[slot])
			if err != nil {
				return err
			}
			row[i] = v
		}
		if err := yield(row); err != nil {
			return err
		}
		return next()
	})
}
