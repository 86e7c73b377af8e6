package parquet

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// column is a top-level column of a file, read as one Arrow array: a leaf, or a list of leaves.
type column struct {
	name     string
	leaf     *parquet.Column
	isList   bool
	listed   int // a list's definition level from which it is not null
	nonempty int // a list's definition level from which it has an element
	conversion
}

// conversion is how values of a leaf become values of an Arrow type. append is false
// for a value that has none.
type conversion struct {
	data     arrow.DataType
	expected string
	append   func(b array.Builder, v parquet.Value) bool
	unsigned bool
}

// show spells a value in an error.
func (c *conversion) show(v parquet.Value) string {
	if c.unsigned {
		return strconv.FormatUint(v.Uint64(), 10)
	}
	return fmt.Sprintf("%.60v", v)
}

// dataType is the Arrow type of the whole column.
func (c *column) dataType() arrow.DataType {
	if c.isList {
		return arrow.ListOf(c.data)
	}
	return c.data
}

// columnOf finds out how to read a top-level column; the error says why it cannot be.
func columnOf(top *parquet.Column) (*column, error) {
	c := &column{name: top.Name(), leaf: top}
	level := 0
	for depth := 0; ; depth++ {
		if c.leaf.Repeated() {
			if c.isList {
				return nil, fmt.Errorf("a list of lists")
			}
			c.isList, c.listed, c.nonempty = true, level, level+1
		}
		if !c.leaf.Required() {
			level++
		}
		if c.leaf.Leaf() {
			break
		}
		if depth > 1 || len(c.leaf.Columns()) != 1 {
			return nil, fmt.Errorf("a structure")
		}
		c.leaf = c.leaf.Columns()[0]
	}
	if c.leaf != top && !c.isList {
		return nil, fmt.Errorf("a structure")
	}
	var ok bool
	if c.conversion, ok = conversionOf(c.leaf.Type()); !ok {
		return nil, fmt.Errorf("of type %s", c.leaf.Type())
	}
	return c, nil
}

func conversionOf(t parquet.Type) (conversion, bool) {
	logical := logicalOf(t)
	switch t.Kind() {
	case parquet.Boolean:
		return conversion{data: arrow.FixedWidthTypes.Boolean, expected: "true or false", append: appendBoolean},
			logical == nil
	case parquet.Int32:
		return int32Conversion(logical)
	case parquet.Int64:
		return int64Conversion(logical)
	case parquet.Float:
		return conversion{data: arrow.PrimitiveTypes.Float64, expected: "a number", append: appendFloat}, logical == nil
	case parquet.Double:
		return conversion{data: arrow.PrimitiveTypes.Float64, expected: "a number", append: appendDouble}, logical == nil
	case parquet.ByteArray:
		switch logical.(type) {
		case nil, *format.StringType, *format.EnumType, *format.JsonType:
			return conversion{data: arrow.BinaryTypes.String, expected: "UTF-8 text", append: appendString}, true
		}
	}
	return conversion{}, false
}

func logicalOf(t parquet.Type) format.LogicalTypeValue {
	if logical := t.LogicalType(); logical != nil {
		return logical.Value
	}
	return nil
}

func int32Conversion(logical format.LogicalTypeValue) (conversion, bool) {
	integer := conversion{data: arrow.PrimitiveTypes.Int64, expected: "an integer", append: appendInt32}
	switch logical := logical.(type) {
	case nil:
		return integer, true
	case *format.IntType:
		if !logical.IsSigned {
			integer.append = appendUint32
		}
		return integer, true
	case *format.DateType:
		return conversion{data: arrow.FixedWidthTypes.Date32, expected: "a date", append: appendDate}, true
	}
	return conversion{}, false
}

func int64Conversion(logical format.LogicalTypeValue) (conversion, bool) {
	integer := conversion{data: arrow.PrimitiveTypes.Int64, expected: "an integer up to 9223372036854775807",
		append: appendInt64}
	switch logical := logical.(type) {
	case nil:
		return integer, true
	case *format.IntType:
		if !logical.IsSigned {
			integer.append, integer.unsigned = appendUint64, true
		}
		return integer, true
	case *format.TimestampType:
		return timestampConversion(logical)
	}
	return conversion{}, false
}

func timestampConversion(logical *format.TimestampType) (conversion, bool) {
	stamp := &arrow.TimestampType{Unit: arrow.Microsecond}
	if logical.IsAdjustedToUTC {
		stamp.TimeZone = "UTC"
	}
	c := conversion{data: stamp, expected: "a time in whole microseconds, between the years -290000 and 290000"}
	switch logical.Unit.Value.(type) {
	case *format.MilliSeconds:
		c.append = appendMilliseconds
	case *format.MicroSeconds:
		c.append = appendMicroseconds
	case *format.NanoSeconds:
		c.append = appendNanoseconds
	}
	return c, c.append != nil
}

func appendBoolean(b array.Builder, v parquet.Value) bool {
	b.(*array.BooleanBuilder).Append(v.Boolean())
	return true
}

func appendInt32(b array.Builder, v parquet.Value) bool {
	b.(*array.Int64Builder).Append(int64(v.Int32()))
	return true
}

func appendUint32(b array.Builder, v parquet.Value) bool {
	b.(*array.Int64Builder).Append(int64(v.Uint32()))
	return true
}

func appendInt64(b array.Builder, v parquet.Value) bool {
	b.(*array.Int64Builder).Append(v.Int64())
	return true
}

func appendUint64(b array.Builder, v parquet.Value) bool {
	if v.Int64() < 0 {
		return false
	}
	return appendInt64(b, v)
}

func appendFloat(b array.Builder, v parquet.Value) bool {
	b.(*array.Float64Builder).Append(float64(v.Float()))
	return true
}

func appendDouble(b array.Builder, v parquet.Value) bool {
	b.(*array.Float64Builder).Append(v.Double())
	return true
}

func appendString(b array.Builder, v parquet.Value) bool {
	if !utf8.Valid(v.ByteArray()) {
		return false
	}
	b.(*array.StringBuilder).BinaryBuilder.Append(v.ByteArray())
	return true
}

func appendDate(b array.Builder, v parquet.Value) bool {
	b.(*array.Date32Builder).Append(arrow.Date32(v.Int32()))
	return true
}

func appendMicroseconds(b array.Builder, v parquet.Value) bool {
	b.(*array.TimestampBuilder).Append(arrow.Timestamp(v.Int64()))
	return true
}

func appendMilliseconds(b array.Builder, v parquet.Value) bool {
	ms := v.Int64()
	if ms > math.MaxInt64/1000 || ms < math.MinInt64/1000 {
		return false
	}
	b.(*array.TimestampBuilder).Append(arrow.Timestamp(ms * 1000))
	return true
}

func appendNanoseconds(b array.Builder, v parquet.Value) bool {
	if v.Int64()%1000 != 0 {
		return false
	}
	b.(*array.TimestampBuilder).Append(arrow.Timestamp(v.Int64() / 1000))
	return true
}
