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
	numbers, ok := c.numbers(name)
	if !ok {
		return nil, false
	}
	return numbers.floats(), true
}

// Number is what a numeric edge column says of each edge, as a float64, without a copy of the column: nulls are NaN,
// and integers beyond 2^53 are rounded. It is false when the chunk has no such column or the column is not numeric.
func (c *Chunk) Number(name string) (of func(edge int) float64, ok bool) {
	numbers, ok := c.numbers(name)
	if !ok {
		return nil, false
	}
	return numbers.at, true
}

// numbers are those of a column.
type numbers interface {
	floats() []float64
	at(i int) float64
}

func (c *Chunk) numbers(name string) (numbers, bool) {
	values, ok := c.Column(name)
	if !ok {
		return nil, false
	}
	switch a := values.(type) {
	case *array.Float64:
		return float64s{column[float64]{a, a.Float64Values()}}, true
	case *array.Float32:
		return column[float32]{a, a.Float32Values()}, true
	case *array.Int64:
		return column[int64]{a, a.Int64Values()}, true
	case *array.Int32:
		return column[int32]{a, a.Int32Values()}, true
	case *array.Int16:
		return column[int16]{a, a.Int16Values()}, true
	case *array.Int8:
		return column[int8]{a, a.Int8Values()}, true
	case *array.Uint64:
		return column[uint64]{a, a.Uint64Values()}, true
	case *array.Uint32:
		return column[uint32]{a, a.Uint32Values()}, true
	case *array.Uint16:
		return column[uint16]{a, a.Uint16Values()}, true
	case *array.Uint8:
		return column[uint8]{a, a.Uint8Values()}, true
	}
	return nil, false
}

// column is one of numbers of a type.
type column[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64] struct {
	arrow.Array
	values []T
}

func (c column[T]) floats() []float64 {
	floats := make([]float64, len(c.values))
	for i, v := range c.values {
		floats[i] = float64(v)
	}
	for i := 0; c.NullN() > 0 && i < len(floats); i++ {
		if c.IsNull(i) {
			floats[i] = math.NaN()
		}
	}
	return floats
}

func (c column[T]) at(i int) float64 {
	if c.IsNull(i) {
		return math.NaN()
	}
	return float64(c.values[i])
}

// float64s are their own memory, where none is null.
type float64s struct{ column[float64] }

func (c float64s) floats() []float64 {
	if c.NullN() == 0 {
		return c.values
	}
	return c.column.floats()
}
