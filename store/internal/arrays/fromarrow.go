package arrays

import (
	"math"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/penstock-db/penstock/formats/value"
)

// Reader gives the value in a row of an array.
type Reader func(row int) value.Value

// valuesKey in the metadata of a binary field says that its values are encoded by
// formats/value: they have several types, or one that no column has.
const valuesKey = "penstock:values"

func IsEncoded(field arrow.Field) bool {
	return field.Type.ID() == arrow.BINARY && field.Metadata.FindKey(valuesKey) >= 0
}

// NewReader reads the values of an array that lives as long as the reader does. ok is false
// for types that no value has.
func NewReader(field arrow.Field, values arrow.Array) (r Reader, ok bool) {
	read := readerOf(field, values)
	if read == nil || values.NullN() == 0 {
		return read, read != nil
	}
	return func(row int) value.Value {
		if values.IsNull(row) {
			return value.Value{}
		}
		return read(row)
	}, true
}

// readerOf reads rows that are not null; nil: no value has this type.
func readerOf(field arrow.Field, values arrow.Array) Reader {
	if IsEncoded(field) {
		return encodedReader(values.(*array.Binary))
	}
	if IsNumbers(field) {
		if read := numbers(values); read != nil {
			return read
		}
	}
	if read := plainReader(values); read != nil {
		return read
	}
	if read := temporalReader(values); read != nil {
		return read
	}
	return nestedReader(field, values)
}

func encodedReader(a *array.Binary) Reader {
	return func(row int) value.Value {
		v, _, _ := value.Decode(a.Value(row)) // its block has passed the checksum
		return v
	}
}

// plainReader reads rows that are not null; nil: they are no truth values, numbers or texts.
func plainReader(values arrow.Array) Reader {
	switch a := values.(type) {
	case *array.Boolean:
		return func(row int) value.Value { return value.OfBool(a.Value(row)) }
	case *array.Int64:
		return integers(a.Int64Values())
	case *array.Int32:
		return integers(a.Int32Values())
	case *array.Int16:
		return integers(a.Int16Values())
	case *array.Int8:
		return integers(a.Int8Values())
	case *array.Uint32:
		return integers(a.Uint32Values())
	case *array.Uint16:
		return integers(a.Uint16Values())
	case *array.Uint8:
		return integers(a.Uint8Values())
	case *array.Uint64:
		return func(row int) value.Value { return unsigned(a.Value(row)) }
	case *array.Float64:
		return floats(a.Float64Values())
	case *array.Float32:
		return floats(a.Float32Values())
	case *array.Float16:
		return func(row int) value.Value { return value.OfFloat(float64(a.Value(row).Float32())) }
	case *array.String:
		return func(row int) value.Value { return value.OfString(a.Value(row)) }
	case *array.LargeString:
		return func(row int) value.Value { return value.OfString(a.Value(row)) }
	case *array.Binary:
		return func(row int) value.Value { return value.OfString(a.ValueString(row)) }
	}
	return nil
}

func integers[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](all []T) Reader {
	return func(row int) value.Value { return value.OfInt(int64(all[row])) }
}

func floats[T float32 | float64](all []T) Reader {
	return func(row int) value.Value { return value.OfFloat(float64(all[row])) }
}

// unsigned is an integer, or, beyond what an integer holds, a float.
func unsigned(n uint64) value.Value {
	if n > math.MaxInt64 {
		return value.OfFloat(float64(n))
	}
	return value.OfInt(int64(n))
}

func temporalReader(values arrow.Array) Reader {
	switch a := values.(type) {
	case *array.Date32:
		return func(row int) value.Value { return value.OfDate(int64(a.Value(row))) }
	case *array.Date64:
		return func(row int) value.Value { return value.OfDate(floorDiv(int64(a.Value(row)), 24*60*60*1000)) }
	case *array.Time32:
		unit := int64(a.DataType().(*arrow.Time32Type).Unit.Multiplier())
		return func(row int) value.Value { return value.OfLocalTime(int64(a.Value(row)) * unit) }
	case *array.Time64:
		unit := int64(a.DataType().(*arrow.Time64Type).Unit.Multiplier())
		return func(row int) value.Value { return value.OfLocalTime(int64(a.Value(row)) * unit) }
	case *array.Timestamp:
		return timestamps(a)
	case *array.Duration:
		unit := int64(a.DataType().(*arrow.DurationType).Unit.Multiplier())
		return func(row int) value.Value { return duration(int64(a.Value(row)), unit) }
	case *array.Decimal128:
		scale := a.DataType().(*arrow.Decimal128Type).Scale
		return func(row int) value.Value { return value.OfFloat(a.Value(row).ToFloat64(scale)) }
	}
	return nil
}

// timestamps are local when they name no zone.
func timestamps(a *array.Timestamp) Reader {
	t := a.DataType().(*arrow.TimestampType)
	zone, err := t.GetZone()
	if err != nil {
		zone = time.UTC
	}
	return func(row int) value.Value {
		moment := a.Value(row).ToTime(t.Unit)
		if t.TimeZone == "" {
			return value.OfLocalDateTime(moment)
		}
		return value.OfDateTime(moment.In(zone))
	}
}

// duration is so many units of unit nanoseconds.
func duration(count, unit int64) value.Value {
	perSecond := int64(time.Second) / unit
	seconds := floorDiv(count, perSecond)
	return value.OfDuration(value.Span{Seconds: seconds, Nanos: int32((count - seconds*perSecond) * unit)})
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func nestedReader(field arrow.Field, values arrow.Array) Reader {
	switch a := values.(type) {
	case array.ListLike:
		element, ok := NewReader(arrow.Field{Type: a.ListValues().DataType(), Metadata: field.Metadata}, a.ListValues())
		if !ok {
			return nil
		}
		return func(row int) value.Value {
			from, to := a.ValueOffsets(row)
			elements := make([]value.Value, to-from)
			for i := range elements {
				elements[i] = element(int(from) + i)
			}
			return value.OfList(elements)
		}
	case *array.Struct:
		return structReader(a)
	}
	return nil
}

// structReader makes a map of the fields that are not null.
func structReader(a *array.Struct) Reader {
	fields := a.DataType().(*arrow.StructType).Fields()
	readers := make([]Reader, len(fields))
	for i, field := range fields {
		var ok bool
		if readers[i], ok = NewReader(field, a.Field(i)); !ok {
			return nil
		}
	}
	return func(row int) value.Value {
		var entries []value.Entry
		for i, r := range readers {
			if v := r(row); !v.IsNull() {
				entries = append(entries, value.Entry{Key: fields[i].Name, Value: v})
			}
		}
		return value.OfEntries(entries)
	}
}
