package execute

import "github.com/penstock-db/penstock/internal/query/plan"

func (b *builder) foreach(o *plan.Foreach, next emit) emit {
	list, run, f := b.expression(o.List), b.operator(o.Plan, nothing), b.frame
	return b.operator(o.Input, func() error {
		v, err := list()
		if err != nil {
			return err
		}
		elements, err := elementsOf(v)
		if err != nil {
			return err
		}
		for _, element := range elements {
			f.row[o.Slot] = element
			if err := run(); err != nil {
				return err
			}
		}
		return next()
	})
}
