package execute

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// callProcedure emits a row for each of the procedure's. One without columns leaves the rows.
func (b *builder) callProcedure(o *plan.CallProcedure, next emit) emit {
	f, arguments := b.frame, b.expressions(o.Arguments)
	return b.operator(o.Input, func() error {
		values := make([]value.Value, len(arguments))
		for i, argument := range arguments {
			v, err := argument()
			if err != nil {
				return err
			}
			if values[i], err = f.passed(o, i, v); err != nil {
				return err
			}
		}
		err := o.Procedure.Call(f.ctx, f.graph, values, func(row []value.Value) error { return f.called(o, row, next) })
		if err == nil && len(o.Procedure.Columns) == 0 {
			err = next()
		}
		return err
	})
}

func (f *frame) called(o *plan.CallProcedure, row []value.Value, next emit) error {
	if len(row) != len(o.Columns) {
		return fmt.Errorf("procedure %s: a row has %d values, not %d", o.Procedure.Name, len(row), len(o.Columns))
	}
	for i, slot := range o.Columns {
		if slot >= 0 {
			f.row[slot] = row[i]
		}
	}
	if err := f.tick(); err != nil || len(o.Columns) == 0 {
		return err
	}
	return f.pass(next)
}

// passed is the value of an argument as the procedure takes it.
func (f *frame) passed(o *plan.CallProcedure, i int, v value.Value) (value.Value, error) {
	field := o.Procedure.Arguments[i]
	if v.IsNull() && !field.Nullable {
		return v, fault.Met(fault.ArgumentError, "InvalidArgumentType", "%s: the argument %s can't be null", o.Procedure.Name, field.Name)
	}
	v, ok := asNumber(field.Type, v)
	if !ok {
		return v, fault.Met(fault.ArgumentError, "InvalidArgumentType", "%s: the argument %s is an Integer, not %s", o.Procedure.Name, field.Name, v.Text())
	}
	return f.complete(v)
}

// asNumber has integers pass as floats, and whole floats as integers.
func asNumber(as string, v value.Value) (value.Value, bool) {
	switch {
	case as == "FLOAT" && v.Kind() == value.Int:
		return value.OfFloat(float64(v.Int())), true
	case as == "INTEGER" && v.Kind() == value.Float:
		whole := int64(v.Float())
		if float64(whole) != v.Float() || math.Abs(v.Float()) >= 1<<63 {
			return v, false
		}
		return value.OfInt(whole), true
	}
	return v, true
}
