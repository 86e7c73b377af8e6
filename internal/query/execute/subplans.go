package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

func (b *builder) union(o *plan.Union, next emit) emit {
	parts := make([]emit, len(o.Parts))
	for i, part := range o.Parts {
		parts[i] = b.operator(part, next)
	}
	return b.operator(o.Input, func() error {
		for _, part := range parts {
			if err := part(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *builder) optional(o *plan.Optional, next emit) emit {
	f, found := b.frame, false
	run := b.operator(o.Plan, func() error {
		found = true
		return next()
	})
	return b.operator(o.Input, func() error {
		found = false
		if err := run(); err != nil || found {
			return err
		}
		for _, slot := range o.Slots {
			f.row[slot] = value.Value{}
		}
		return next()
	})
}

func (b *builder) apply(o *plan.Apply, next emit) emit {
	if !o.Unit {
		return b.operator(o.Input, b.operator(o.Plan, next))
	}
	run := b.operator(o.Plan, nothing)
	return b.operator(o.Input, func() error {
		if err := run(); err != nil {
			return err
		}
		return next()
	})
}
