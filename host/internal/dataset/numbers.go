package dataset

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
)

// lists are the rows of a block of values: a list each, or one value.
type lists struct {
	values arrow.Array
	bounds func(i int) (from, to int64)
}

// listsOf are the rows of a block.
func listsOf(rows arrow.Array) lists {
	if l, ok := rows.(array.ListLike); ok {
		return lists{l.ListValues(), l.ValueOffsets}
	}
	return lists{rows, func(i int) (from, to int64) { return int64(i), int64(i) + 1 }}
}

// numberOf reads a number of values; nil: they are no numbers.
func numberOf(values arrow.Array) func(i int) float64 {
	switch a := values.(type) {
	case *array.Float64:
		return a.Value
	case *array.Float32:
		return func(i int) float64 { return float64(a.Value(i)) }
	case *array.Int64:
		return func(i int) float64 { return float64(a.Value(i)) }
	case *array.Int32:
		return func(i int) float64 { return float64(a.Value(i)) }
	case *array.Boolean:
		return func(i int) float64 {
			if a.Value(i) {
				return 1
			}
			return 0
		}
	}
	return nil
}
