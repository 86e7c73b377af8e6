package arrays

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/float16"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/failure"
)

// EncodedField is a column of values of any type, encoded by formats/value.
func EncodedField(name string) arrow.Field {
	return arrow.Field{
		Name: name, Type: arrow.BinaryTypes.Binary, Nullable: true,
		Metadata: arrow.NewMetadata([]string{valuesKey}, []string{"1"}),
	}
}

// FieldFor is a field for these values, none of which is null: the first of Candidates that holds them, else an encoded
// one.
func FieldFor(name string, values []value.Value) arrow.Field {
	for _, field := range Candidates(name, values) {
		if Holds(field, values) {
			return field
		}
	}
	return EncodedField(name)
}

// Candidates are fields that may hold values like these, none of which is null: of the Arrow type of the first that has
// one, and of integers and floats.
func Candidates(name string, values []value.Value) (fields []arrow.Field) {
	t := arrowType(values)
	if t == nil {
		return nil
	}
	fields = append(fields, arrow.Field{Name: name, Type: t, Nullable: true})
	if t = numbersType(t); t != nil {
		fields = append(fields, numbersField(name, t))
	}
	return fields
}

// arrowType is the type of the first value that has one; nil: none does.
func arrowType(values []value.Value) arrow.DataType {
	for _, v := range values {
		switch v.Kind() {
		case value.Bool:
			return arrow.FixedWidthTypes.Boolean
		case value.Int:
			return arrow.PrimitiveTypes.Int64
		case value.Float:
			return arrow.PrimitiveTypes.Float64
		case value.String:
			return arrow.BinaryTypes.String
		case value.Date:
			return arrow.FixedWidthTypes.Date32
		case value.List:
			if t := arrowType(v.List()); t != nil {
				return arrow.ListOf(t)
			}
		default:
			return nil
		}
	}
	return nil
}

// Holds tells whether a column gives all these values back as they are.
func Holds(field arrow.Field, values []value.Value) bool {
	b := array.NewBuilder(memory.DefaultAllocator, field.Type)
	defer b.Release()
	for _, v := range values {
		if !appendValue(b, field, v) {
			return false
		}
	}
	made := b.NewArray()
	read, ok := NewReader(field, made)
	if !ok {
		return false
	}
	var want, got []byte
	for i, v := range values {
		want, got = value.Append(want[:0], v), value.Append(got[:0], read(i))
		if !bytes.Equal(want, got) {
			return false
		}
	}
	return true
}

// Of makes a column of values, which are all null or what FieldFor has made the field for. The caller releases it.
func Of(mem memory.Allocator, field arrow.Field, values []value.Value) (arrow.Array, error) {
	b := array.NewBuilder(mem, field.Type)
	defer b.Release()
	for _, v := range values {
		if !appendValue(b, field, v) {
			return nil, &failure.PropertyError{Name: field.Name, Reason: "has " + v.Text() + " among values of another type"}
		}
	}
	return b.NewArray(), nil
}

// appendValue appends a value, which may be null, to a column; false: it does not fit there
// at all. Whether it comes back as it was holds finds out.
func appendValue(b array.Builder, field arrow.Field, v value.Value) bool {
	if v.IsNull() {
		b.AppendNull()
		return true
	}
	if IsEncoded(field) {
		b.(*array.BinaryBuilder).Append(value.Append(nil, v))
		return true
	}
	switch v.Kind() {
	case value.Int:
		if IsNumbers(field) {
			return appendFloat(b, float64(v.Int()))
		}
		return appendInt(b, v.Int())
	case value.Float:
		return appendFloat(b, v.Float())
	case value.List:
		return appendList(b, field, v.List())
	}
	return appendOther(b, v)
}

func appendInt(b array.Builder, n int64) bool {
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(n)
	case *array.Int32Builder:
		b.Append(int32(n))
	case *array.Int16Builder:
		b.Append(int16(n))
	case *array.Int8Builder:
		b.Append(int8(n))
	case *array.Uint64Builder:
		b.Append(uint64(n))
	case *array.Uint32Builder:
		b.Append(uint32(n))
	case *array.Uint16Builder:
		b.Append(uint16(n))
	case *array.Uint8Builder:
		b.Append(uint8(n))
	default:
		return false
	}
	return true
}

func appendFloat(b array.Builder, f float64) bool {
	switch b := b.(type) {
	case *array.Float64Builder:
		b.Append(f)
	case *array.Float32Builder:
		b.Append(float32(f))
	case *array.Float16Builder:
		b.Append(float16.New(float32(f)))
	default:
		return false
	}
	return true
}

func appendOther(b array.Builder, v value.Value) bool {
	switch b := b.(type) {
	case *array.BooleanBuilder:
		if v.Kind() == value.Bool {
			b.Append(v.Bool())
			return true
		}
	case *array.StringBuilder:
		if v.Kind() == value.String {
			b.Append(v.Str())
			return true
		}
	case *array.LargeStringBuilder:
		if v.Kind() == value.String {
			b.Append(v.Str())
			return true
		}
	case *array.Date32Builder:
		if v.Kind() == value.Date && v.Days() == int64(int32(v.Days())) {
			b.Append(arrow.Date32(v.Days()))
			return true
		}
	case *array.TimestampBuilder:
		return appendMoment(b, v)
	}
	return false
}

func appendMoment(b *array.TimestampBuilder, v value.Value) bool {
	if v.Kind() != value.LocalDateTime && v.Kind() != value.DateTime {
		return false
	}
	t, err := arrow.TimestampFromTime(v.DateTime(), b.Type().(*arrow.TimestampType).Unit)
	if err == nil {
		b.Append(t)
	}
	return err == nil
}

func appendList(b array.Builder, field arrow.Field, elements []value.Value) bool {
	lists, ok := b.(array.ListLikeBuilder)
	if !ok {
		return false
	}
	if t, ok := field.Type.(*arrow.FixedSizeListType); ok && int(t.Len()) != len(elements) {
		return false
	}
	lists.Append(true)
	element := arrow.Field{Type: field.Type.(arrow.ListLikeType).Elem(), Metadata: field.Metadata}
	for _, e := range elements {
		if !appendValue(lists.ValueBuilder(), element, e) {
			return false
		}
	}
	return true
}

// Storable is false for types whose values need more than their own array.
func Storable(t arrow.DataType) bool {
	return t.ID() != arrow.DICTIONARY && t.ID() != arrow.EXTENSION
}

func Unstorable(name string, t arrow.DataType) error {
	return &failure.PropertyError{Name: name, Reason: fmt.Sprintf("has the type %s, which cannot be stored", t)}
}
