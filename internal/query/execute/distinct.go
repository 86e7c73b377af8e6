package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

func (b *builder) distinct(o *plan.Distinct, next emit) emit {
	f, row := b.frame, make([]value.Value, len(o.Slots))
	var seen *set
	run := b.operator(o.Input, func() error {
		for i, slot := range o.Slots {
			row[i] = f.row[slot]
		}
		fresh, err := seen.add(row)
		if err != nil || !fresh {
			return firstOf(err, f.tick())
		}
		return next()
	})
	return func() error {
		seen = newSet(len(o.Slots), f.tally("DISTINCT"))
		defer seen.clear()
		return run()
	}
}
