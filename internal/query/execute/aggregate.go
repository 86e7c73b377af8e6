package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// aggregating is an Aggregate at work. A row's record is its keys, the arguments of the functions
// one after the other, and for how many rows it stands.
type aggregating struct {
	*plan.Aggregate
	*frame
	expressions []evaluator // of all of a record but the last
	functions   []aggregateFunction
	record      []value.Value
	next        emit
}

func (b *builder) aggregate(o *plan.Aggregate, next emit) emit {
	a, divisible := b.aggregating(o, next), b.divisible(o)
	var table *groups
	run := b.operator(o.Input, func() error {
		if err := a.evaluate(); err != nil {
			return err
		}
		return table.add(a.record)
	})
	return func() error {
		if divisible {
			if table = a.divided(); table != nil {
				return table.finish(nil)
			}
		}
		table = a.newGroups(0)
		return table.finish(run())
	}
}

func (b *builder) aggregating(o *plan.Aggregate, next emit) *aggregating {
	a := &aggregating{Aggregate: o, frame: b.frame, next: next}
	for _, key := range o.Keys {
		a.expressions = append(a.expressions, b.expression(key.Expression))
	}
	for i := range o.Values {
		a.functions = append(a.functions, b.aggregateFunction(&o.Values[i], len(a.expressions)))
		a.expressions = append(a.expressions, b.expressions(o.Values[i].Arguments)...)
	}
	a.record = make([]value.Value, len(a.expressions)+1)
	return a
}

// evaluate makes the record of the row.
func (a *aggregating) evaluate() error {
	for i, expression := range a.expressions {
		v, err := expression()
		if err != nil {
			return err
		}
		a.record[i] = v
	}
	weight := value.OfInt(1)
	if a.Weight >= 0 {
		weight = a.row[a.Weight]
	}
	a.record[len(a.expressions)] = weight
	return a.tick()
}
