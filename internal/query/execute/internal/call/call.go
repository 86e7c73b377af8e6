// Package call holds the operator that calls a procedure.
package call

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// Procedure emits a row for each of the procedure's. One without columns leaves the rows.
func Procedure(f *frame.Frame, input frame.Input, p *procedure.Procedure, arguments []expression.Evaluator,
	columns []int, next frame.Emit) frame.Emit {
	ctx := procedure.WithWanted(f.Ctx, columns)
	return input(func() error {
		values := make([]value.Value, len(arguments))
		for i, argument := range arguments {
			v, err := argument()
			if err != nil {
				return err
			}
			if values[i], err = passed(f, p, i, v); err != nil {
				return err
			}
		}
		err := p.Call(ctx, f.Graph, values, func(row []value.Value) error { return called(f, p, columns, row, next) })
		if err == nil && len(p.Columns) == 0 {
			err = next()
		}
		return err
	})
}

// called emits a row of the procedure, whose columns have slots; < 0: not used.
func called(f *frame.Frame, p *procedure.Procedure, columns []int, row []value.Value, next frame.Emit) error {
	if len(row) != len(columns) {
		return fmt.Errorf("procedure %s: a row has %d values, not %d", p.Name, len(row), len(columns))
	}
	for i, slot := range columns {
		if slot >= 0 {
			f.Row[slot] = row[i]
		}
	}
	if err := f.Tick(); err != nil || len(columns) == 0 {
		return err
	}
	return f.Pass(next)
}

// passed is the value of an argument as the procedure takes it.
func passed(f *frame.Frame, p *procedure.Procedure, i int, v value.Value) (value.Value, error) {
	field := p.Arguments[i]
	if v.IsNull() && !field.Nullable {
		return v, fault.Met(fault.ArgumentError, "InvalidArgumentType", "%s: the argument %s can't be null", p.Name,
			field.Name)
	}
	v, ok := asNumber(field.Type, v)
	if !ok {
		return v, fault.Met(fault.ArgumentError, "InvalidArgumentType", "%s: the argument %s is an Integer, not %s", p.Name,
			field.Name, v.Text())
	}
	return entity.Complete(f, v)
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
