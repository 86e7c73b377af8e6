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
	values, ok := c.Column(name)
	if !ok {
		return nil, false
	}
	switch a := values.(type) {
	case *array.Float64:
		if a.NullN() == 0 {
			return a.Float64Values(), true
		}
		return converted(a, a.Float64Values()), true
	case *array.Float32:
		return converted(a, a.Float32Values()), true
	case *array.Int64:
		return converted(a, a.Int64Values()), true
	case *array.Int32:
		return converted(a, a.Int32Values()), true
	case *array.Int16:
		return converted(a, a.Int16Values()), true
	case *array.Int8:
		return converted(a, a.Int8Values()), true
	case *array.Uint64:
		return converted(a, a.Uint64Values()), true
	case *array.Uint32:
		return converted(a, a.Uint32Values()), true
	case *array.Uint16:
		return converted(a, a.Uint16Values()), true
	case *array.Uint8:
		return converted(a, a.Uint8Values()), true
	}
	return nil, false
}

func converted[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](a arrow.Array,
	values []T) []float64 {
	floats := make([]float64, len(values))
	for i, v := range values {
		floats[i] = float64(v)
	}
	for i := 0; a.NullN() > 0 && i < len(floats); i++ {
		if a.IsNull(i) {
			floats[i] = math.NaN()
		}
	}
	return floats
}
