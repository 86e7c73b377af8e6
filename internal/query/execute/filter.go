package execute

import "github.com/penstock-db/penstock/internal/query/plan"

func (b *builder) filter(o *plan.Filter, next emit) emit {
	where, f := b.predicate(o.Where), b.frame
	return b.operator(o.Input, func() error {
		ok, err := where()
		if !ok {
			return firstOf(err, f.tick())
		}
		return next()
	})
}
