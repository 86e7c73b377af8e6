package chunk

import (
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
)

// Float64s is a numeric edge column as float64, parallel to Neighbors. A Float64
// column without nulls is its own memory, which must not be written; any other is a
// fresh copy (8 bytes an edge) in which nulls are NaN and integers beyond 2^53 are
// rounded. It is false when the chunk has no such column or the column is not numeric.
func (c *Chunk) Float64s(name string) ([]float64, bool) {
	if values, ok := c.Column(name); ok {
		if a, ok := values.(*array.Float64); ok && a.NullN() == 0 {
			return a.Float64Values(), true
		}
	}
	of, ok := c.Number(name)
	if !ok {
		return nil, false
	}
	floats := make([]float64, c.Edges())
	for i := range floats {
		floats[i] = of(i)
	}
	return floats, true
}

// Number is what a numeric edge column says of each edge, as a float64, without a copy of the column: nulls are NaN,
// and integers beyond 2^53 are rounded. It is false when the chunk has no such column or the column is not numeric.
func (c *Chunk) Number(name string) (of func(edge int) float64, ok bool) {
	values, ok := c.Column(name)
	if !ok {
		return nil, false
	}
	switch a := values.(type) {
	case *array.Float64:
		return number(a, a.Float64Values()), true
	case *array.Float32:
		return number(a, a.Float32Values()), true
	case *array.Int64:
		return number(a, a.Int64Values()), true
	case *array.Int32:
		return number(a, a.Int32Values()), true
	case *array.Int16:
		return number(a, a.Int16Values()), true
	case *array.Int8:
		return number(a, a.Int8Values()), true
	case *array.Uint64:
		return number(a, a.Uint64Values()), true
	case *array.Uint32:
		return number(a, a.Uint32Values()), true
	case *array.Uint16:
		return number(a, a.Uint16Values()), true
	case *array.Uint8:
		return number(a, a.Uint8Values()), true
	}
	return nil, false
}

func number[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](a arrow.Array,
	values []T) func(int) float64 {
	if a.NullN() == 0 {
		return func(i int) float64 { return float64(values[i]) }
	}
	return func(i int) float64 {
		if a.IsNull(i) {
			return math.NaN()
		}
		return float64(values[i])
	}
}
