package encoding

import "github.com/apache/arrow/go/v15/arrow"

// Tags of the Type union in Arrow's Schema.fbs.
const (
	tagInt           = 2
	tagFloatingPoint = 3
	tagBinary        = 4
	tagUtf8          = 5
	tagBool          = 6
	tagDate          = 8
	tagTime          = 9
	tagTimestamp     = 10
	tagInterval      = 11
	tagList          = 12
	tagStruct        = 13
	tagFixedBinary   = 15
	tagFixedList     = 16
	tagDuration      = 18
	tagLargeBinary   = 19
	tagLargeUtf8     = 20
)

// form is an Arrow type as Schema.fbs spells it: the tag of its table and the
// table's scalar fields. A timestamp's zone and a list's element stand beside it.
type form struct {
	tag  uint8
	a, b int32
}

// widths are the bytes of the scalar fields a and b in the table of a tag; 0: none.
var widths = map[uint8][2]int{
	tagInt: {4, 1}, tagFloatingPoint: {2, 0}, tagBinary: {}, tagUtf8: {}, tagBool: {},
	tagDate: {2, 0}, tagTime: {2, 4}, tagTimestamp: {2, 0}, tagInterval: {2, 0},
	tagList: {}, tagStruct: {}, tagFixedBinary: {4, 0}, tagFixedList: {4, 0},
	tagDuration: {2, 0}, tagLargeBinary: {}, tagLargeUtf8: {},
}

// plainTypes are those that their form says everything about.
var plainTypes = map[form]arrow.DataType{
	{tagInt, 8, 1}: arrow.PrimitiveTypes.Int8, {tagInt, 8, 0}: arrow.PrimitiveTypes.Uint8,
	{tagInt, 16, 1}: arrow.PrimitiveTypes.Int16, {tagInt, 16, 0}: arrow.PrimitiveTypes.Uint16,
	{tagInt, 32, 1}: arrow.PrimitiveTypes.Int32, {tagInt, 32, 0}: arrow.PrimitiveTypes.Uint32,
	{tagInt, 64, 1}: arrow.PrimitiveTypes.Int64, {tagInt, 64, 0}: arrow.PrimitiveTypes.Uint64,
	{tagFloatingPoint, 0, 0}: arrow.FixedWidthTypes.Float16,
	{tagFloatingPoint, 1, 0}: arrow.PrimitiveTypes.Float32,
	{tagFloatingPoint, 2, 0}: arrow.PrimitiveTypes.Float64,
	{tag: tagBool}:           arrow.FixedWidthTypes.Boolean,
	{tag: tagUtf8}:           arrow.BinaryTypes.String,
	{tag: tagBinary}:         arrow.BinaryTypes.Binary,
	{tag: tagLargeUtf8}:      arrow.BinaryTypes.LargeString,
	{tag: tagLargeBinary}:    arrow.BinaryTypes.LargeBinary,
	{tagDate, 0, 0}:          arrow.FixedWidthTypes.Date32,
	{tagDate, 1, 0}:          arrow.FixedWidthTypes.Date64,
	{tagTime, 0, 32}:         arrow.FixedWidthTypes.Time32s,
	{tagTime, 1, 32}:         arrow.FixedWidthTypes.Time32ms,
	{tagTime, 2, 64}:         arrow.FixedWidthTypes.Time64us,
	{tagTime, 3, 64}:         arrow.FixedWidthTypes.Time64ns,
	{tagDuration, 0, 0}:      arrow.FixedWidthTypes.Duration_s,
	{tagDuration, 1, 0}:      arrow.FixedWidthTypes.Duration_ms,
	{tagDuration, 2, 0}:      arrow.FixedWidthTypes.Duration_us,
	{tagDuration, 3, 0}:      arrow.FixedWidthTypes.Duration_ns,
	{tagInterval, 0, 0}:      arrow.FixedWidthTypes.MonthInterval,
	{tagInterval, 1, 0}:      arrow.FixedWidthTypes.DayTimeInterval,
	{tagInterval, 2, 0}:      arrow.FixedWidthTypes.MonthDayNanoInterval,
}

// plainForms is the inverse of plainTypes, by fingerprint.
var plainForms = func() map[string]form {
	inverse := make(map[string]form, len(plainTypes))
	for f, t := range plainTypes {
		inverse[t.Fingerprint()] = f
	}
	return inverse
}()

// formOf is false for a type that no chunk can hold.
func formOf(t arrow.DataType) (form, bool) {
	switch t := t.(type) {
	case *arrow.TimestampType:
		return form{tag: tagTimestamp, a: int32(t.Unit)}, true
	case *arrow.FixedSizeBinaryType:
		return form{tag: tagFixedBinary, a: int32(t.ByteWidth)}, t.ByteWidth > 0
	case *arrow.FixedSizeListType:
		return form{tag: tagFixedList, a: t.Len()}, true
	case *arrow.ListType:
		return form{tag: tagList}, true
	case *arrow.StructType:
		return form{tag: tagStruct}, true
	}
	f, ok := plainForms[t.Fingerprint()]
	return f, ok
}

// typeOf is the inverse of formOf for every type but a struct. element is nil unless the form is a list's.
func typeOf(f form, zone string, element *arrow.Field) (arrow.DataType, bool) {
	switch {
	case f.tag == tagList && element != nil:
		return arrow.ListOfField(*element), true
	case f.tag == tagFixedList && element != nil && f.a > 0:
		return arrow.FixedSizeListOfField(f.a, *element), true
	case element != nil:
		return nil, false
	case f.tag == tagTimestamp && f.a >= 0 && f.a <= int32(arrow.Nanosecond):
		return &arrow.TimestampType{Unit: arrow.TimeUnit(f.a), TimeZone: zone}, true
	case f.tag == tagFixedBinary && f.a > 0:
		return &arrow.FixedSizeBinaryType{ByteWidth: int(f.a)}, true
	}
	t, ok := plainTypes[f]
	return t, ok
}

// elementOf is the field of a list's values; false for any other type.
func elementOf(t arrow.DataType) (arrow.Field, bool) {
	switch t := t.(type) {
	case *arrow.ListType:
		return t.ElemField(), true
	case *arrow.FixedSizeListType:
		return t.ElemField(), true
	}
	return arrow.Field{}, false
}

// Supported is true for the types of edge columns: any with a form but a struct, and lists of these.
func Supported(t arrow.DataType) bool {
	if element, ok := elementOf(t); ok {
		_, nested := elementOf(element.Type)
		if nested || !Supported(element.Type) {
			return false
		}
	}
	f, ok := formOf(t)
	return ok && f.tag != tagStruct
}
