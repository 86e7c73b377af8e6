package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/query/plan"
)

func (b *builder) distinct(o *plan.Distinct, next emit) emit {
	f, row := b.frame, make([]value.Value, len(o.Slots))
	var seen *set
	var held int64
	run := b.operator(o.Input, func() error {
		for i, slot := range o.Slots {
			row[i] = f.row[slot]
		}
		if !seen.add(row) {
			return f.tick()
		}
		bytes := sizes(row) + setOverhead
		if err := f.hold("DISTINCT", bytes); err != nil {
			return err
		}
		held += bytes
		return next()
	})
	return func() error {
		seen, held = newSet(len(o.Slots)), 0
		defer func() { f.release(held) }()
		return run()
	}
}
