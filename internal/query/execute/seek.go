package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// nodeBySeek finds nodes by an index.
func (b *builder) nodeBySeek(o *plan.NodeBySeek, next emit) emit {
	var failed error
	each, values := b.nodesTo(o.Slot, next, &failed), b.expression(o.Value)
	one := func(v value.Value) error {
		failed = nil
		return firstOf(b.graph.Seek(o.Index, v, each), failed)
	}
	return b.operator(o.Input, func() error {
		v, err := values()
		if err != nil {
			return err
		}
		if o.List {
			return b.eachDistinct(v, one)
		}
		return one(v)
	})
}

// nodeByRange finds nodes by an index whose values are in order.
func (b *builder) nodeByRange(o *plan.NodeByRange, next emit) emit {
	var failed error
	each, from, to := b.nodesTo(o.Slot, next, &failed), b.end(o.From), b.end(o.To)
	return b.operator(o.Input, func() error {
		low, err := from()
		if err != nil {
			return err
		}
		high, err := to()
		if err != nil {
			return err
		}
		failed = nil
		return firstOf(b.graph.Range(o.Index, low, high, each), failed)
	})
}

// end compiles one end of a range; nil: there is none.
func (b *builder) end(l *plan.Limiting) func() (*store.Bound, error) {
	if l == nil {
		return func() (*store.Bound, error) { return nil, nil }
	}
	limit := b.expression(l.Value)
	return func() (*store.Bound, error) {
		v, err := limit()
		return &store.Bound{Value: v, Inclusive: l.Inclusive}, err
	}
}
