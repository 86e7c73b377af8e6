package csv

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats/input"
)

// scalar is how fields of one header type are read. append is false for what is not
// of the type.
type scalar struct {
	data     arrow.DataType
	expected string
	append   func(b array.Builder, text []byte) bool
}

var (
	stringType  = scalar{arrow.BinaryTypes.String, "UTF-8 text", appendString}
	integerType = scalar{arrow.PrimitiveTypes.Int64, "an integer from -9223372036854775808 to 9223372036854775807",
		appendInt(64)}
	floatType   = scalar{arrow.PrimitiveTypes.Float64, "a number, not NaN, up to 1.8e308", appendFloat}
	finiteType  = scalar{arrow.PrimitiveTypes.Float64, "a finite number", appendFinite}
	booleanType = scalar{arrow.FixedWidthTypes.Boolean, "true or false", appendBoolean}
	dateType    = scalar{arrow.FixedWidthTypes.Date32, "a date such as 2024-02-29", appendDate}
	zonedType   = scalar{
		&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
		"a date and time such as 2024-02-29T12:30:05.123456Z, no finer than microseconds", appendTime(zonedLayouts),
	}
	localType = scalar{
		&arrow.TimestampType{Unit: arrow.Microsecond},
		"a date and time without zone such as 2024-02-29T12:30:05, no finer than microseconds", appendTime(localLayouts),
	}
)

// scalars are the types that a header may name, in small letters.
var scalars = map[string]scalar{
	"int": integerType, "long": integerType, "integer": integerType,
	"short":  {integerType.data, "an integer from -32768 to 32767", appendInt(16)},
	"byte":   {integerType.data, "an integer from -128 to 127", appendInt(8)},
	"float":  floatType,
	"double": floatType,
	"bool":   booleanType, "boolean": booleanType,
	"string": stringType,
	"char":   {stringType.data, "one character", appendChar},
	"date":   dateType, "datetime": zonedType, "localdatetime": localType,
}

// valueType is the type of a property: a scalar or a list of them.
type valueType struct {
	scalar
	list bool
}

// typeNamed finds the type that a header calls name. name[] is a list.
func typeNamed(name string) (valueType, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	element, list := strings.CutSuffix(name, "[]")
	s, ok := scalars[element]
	if list {
		s.expected = "a list parted by ';', of which each is " + s.expected
	}
	return valueType{s, list}, ok
}

func (t valueType) dataType() arrow.DataType {
	if t.list {
		return arrow.ListOf(t.data)
	}
	return t.data
}

// appendField appends a field that is not null.
func (t valueType) appendField(b array.Builder, text []byte) bool {
	if !t.list {
		return t.append(b, text)
	}
	list := b.(*array.ListBuilder)
	list.Append(true)
	if len(text) == 0 {
		return true
	}
	for more := true; more; {
		var element []byte
		element, text, more = bytes.Cut(text, listSeparator)
		if !t.append(list.ValueBuilder(), element) {
			return false
		}
	}
	return true
}

// listSeparator parts the elements of a list, and labels.
var listSeparator = []byte{';'}

func appendString(b array.Builder, text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	b.(*array.StringBuilder).BinaryBuilder.Append(text)
	return true
}

func appendChar(b array.Builder, text []byte) bool {
	return utf8.RuneCount(text) == 1 && appendString(b, text)
}

func appendInt(bits int) func(array.Builder, []byte) bool {
	return func(b array.Builder, text []byte) bool {
		n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, bits)
		if err != nil {
			return false
		}
		b.(*array.Int64Builder).Append(n)
		return true
	}
}

func appendFloat(b array.Builder, text []byte) bool {
	x, err := strconv.ParseFloat(string(bytes.TrimSpace(text)), 64)
	if err != nil || x != x {
		return false
	}
	b.(*array.Float64Builder).Append(x)
	return true
}

func appendFinite(b array.Builder, text []byte) bool {
	x, ok := input.ParseFloat(bytes.TrimSpace(text))
	if ok {
		b.(*array.Float64Builder).Append(x)
	}
	return ok
}

func appendBoolean(b array.Builder, text []byte) bool {
	text = bytes.TrimSpace(text)
	value := bytes.EqualFold(text, []byte("true"))
	if !value && !bytes.EqualFold(text, []byte("false")) {
		return false
	}
	b.(*array.BooleanBuilder).Append(value)
	return true
}

func appendDate(b array.Builder, text []byte) bool {
	day, err := time.Parse(time.DateOnly, string(bytes.TrimSpace(text)))
	if err != nil {
		return false
	}
	b.(*array.Date32Builder).Append(arrow.Date32FromTime(day))
	return true
}

var (
	localLayouts = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", time.DateOnly}
	// Without a zone, a datetime is taken as UTC, as Neo4j does.
	zonedLayouts = append([]string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00"}, localLayouts...)
)

func appendTime(layouts []string) func(array.Builder, []byte) bool {
	return func(b array.Builder, text []byte) bool {
		for _, layout := range layouts {
			t, err := time.Parse(layout, string(bytes.TrimSpace(text)))
			if err != nil {
				continue
			}
			if t.Nanosecond()%1000 != 0 {
				return false
			}
			b.(*array.TimestampBuilder).Append(arrow.Timestamp(t.UnixMicro()))
			return true
		}
		return false
	}
}
