package arrays

import (
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/penstock-db/penstock/formats/value"
)

// numbersKey in the metadata of a field of floats, or of lists of them, says that its values are integers and floats:
// those are integers that could be (see integral). So statements get back each number as it was, and what reads
// columns, such as algorithms, reads floats. Where a float among them is integral, a column does not tell it from an
// integer: it is encoded then.
const numbersKey = "penstock:numbers"

// numbersField is a column of integers and floats, of type t.
func numbersField(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true, Metadata: arrow.NewMetadata([]string{numbersKey}, []string{"1"})}
}

// IsNumbers tells whether a column has integers and floats.
func IsNumbers(field arrow.Field) bool { return field.Metadata.FindKey(numbersKey) >= 0 }

// integral tells whether a float is an integer in a column of numbers: it has no fraction, and is one that floats count
// up to one by one.
func integral(f float64) bool {
	const most = 1 << 53
	return math.Abs(f) <= most && math.Trunc(f) == f && !(f == 0 && math.Signbit(f))
}

// numbers reads rows of a column of numbers; nil: it is not of floats.
func numbers(values arrow.Array) Reader {
	a, ok := values.(*array.Float64)
	if !ok {
		return nil
	}
	return func(row int) value.Value {
		if f := a.Value(row); !integral(f) {
			return value.OfFloat(f)
		}
		return value.OfInt(int64(a.Value(row)))
	}
}

// numbersType is a type of columns with its integers as floats; nil: it is of no numbers.
func numbersType(t arrow.DataType) arrow.DataType {
	switch t.ID() {
	case arrow.INT64, arrow.FLOAT64:
		return arrow.PrimitiveTypes.Float64
	case arrow.LIST:
		if of := numbersType(t.(*arrow.ListType).Elem()); of != nil {
			return arrow.ListOf(of)
		}
	}
	return nil
}
