package execute

import "github.com/penstock-db/penstock/query/plan"

func (b *builder) eager(o *plan.Eager, next emit) emit {
	rows := b.keep("a change of what is being read", o.Live)
	run := b.operator(o.Input, rows.add)
	return func() error {
		defer rows.drop()
		if err := run(); err != nil {
			return err
		}
		return rows.emitAll(next)
	}
}

func (k *kept) emitAll(next emit) error {
	for i := range k.count {
		k.restore(i)
		if err := k.tick(); err != nil {
			return err
		}
		if err := next(); err != nil {
			return err
		}
	}
	return nil
}
