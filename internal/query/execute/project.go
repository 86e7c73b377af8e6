package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// project computes all values before it sets the first: slots are not read and set at once.
func (b *builder) project(o *plan.Project, next emit) emit {
	f := b.frame
	expressions := make([]evaluator, len(o.Items))
	for i, item := range o.Items {
		expressions[i] = b.expression(item.Expression)
	}
	values := make([]value.Value, len(o.Items))
	return b.operator(o.Input, func() error {
		for i, expression := range expressions {
			v, err := expression()
			if err != nil {
				return err
			}
			values[i] = v
		}
		for i := range o.Items {
			f.row[o.Items[i].Slot] = values[i]
		}
		return next()
	})
}
