// Package aggregate holds the operator that makes a row of each group of rows: in memory, in partitions
// in temporary files where memory has no room for all groups, and on all processors where the order of
// rows does not matter.
package aggregate

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// Records makes the record of a row: its keys, the arguments of the functions one after the other, and
// for how many rows it stands.
type Records struct {
	*plan.Aggregate
	*frame.Frame
	expressions []expression.Evaluator // of all of a record but the last
	functions   []function
	record      []value.Value
}

// NewRecords are records of the keys of an aggregate and the arguments of its functions, compiled for a
// frame. It fails where there is no such function.
func NewRecords(f *frame.Frame, o *plan.Aggregate, keys []expression.Evaluator,
	arguments [][]expression.Evaluator) (*Records, error) {
	r := &Records{Aggregate: o, Frame: f, expressions: keys}
	for i := range o.Values {
		one, err := newFunction(f, &o.Values[i], len(r.expressions))
		if err != nil {
			return nil, err
		}
		r.functions = append(r.functions, one)
		r.expressions = append(r.expressions, arguments[i]...)
	}
	r.record = make([]value.Value, len(r.expressions)+1)
	return r, nil
}

// evaluate makes the record of the row.
func (r *Records) evaluate() error {
	for i, expression := range r.expressions {
		v, err := expression()
		if err != nil {
			return err
		}
		r.record[i] = v
	}
	weight := value.OfInt(1)
	if r.Weight >= 0 {
		weight = r.Row[r.Weight]
	}
	r.record[len(r.expressions)] = weight
	return r.Tick()
}

// Aggregate emits a row for each group of records. Where part is there, it may compute the groups of
// parts of the nodes at once.
func Aggregate(input frame.Input, r *Records, part Part, next frame.Emit) frame.Emit {
	var table *groups
	run := input(func() error {
		if err := r.evaluate(); err != nil {
			return err
		}
		return table.add(r.record)
	})
	return func() error {
		if part != nil {
			if table = divided(r, part); table != nil {
				return table.finish(next, nil)
			}
		}
		table = newGroups(r, 0)
		return table.finish(next, run())
	}
}
