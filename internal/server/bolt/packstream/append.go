package packstream

import (
	"encoding/binary"
	"math"

	"github.com/penstock-db/penstock/formats/value"
)

// Append appends v to dst. Nodes and relationships must be whole, not mere ids.
func (d Dialect) Append(dst []byte, v value.Value) []byte {
	switch v.Kind() {
	case value.Null:
		return append(dst, null)
	case value.Bool:
		return appendBool(dst, v.Bool())
	case value.Int:
		return appendInt(dst, v.Int())
	case value.Float:
		return appendFloat(dst, v.Float())
	case value.String:
		return appendString(dst, v.Str())
	case value.List:
		return d.appendList(dst, v.List())
	case value.Map:
		return d.appendMap(dst, v.Map())
	case value.Node, value.Relationship, value.Path:
		return d.appendEntity(dst, v)
	case value.Point:
		return appendPoint(dst, v.Point())
	default:
		return d.appendTemporal(dst, v)
	}
}

// AppendStruct appends a structure: a message, that is.
func (d Dialect) AppendStruct(dst []byte, tag byte, fields ...value.Value) []byte {
	dst = appendHeader(dst, tag, len(fields))
	for _, field := range fields {
		dst = d.Append(dst, field)
	}
	return dst
}

// AppendRow appends a structure of one field, the list of elements.
func (d Dialect) AppendRow(dst []byte, tag byte, elements []value.Value) []byte {
	return d.appendList(appendHeader(dst, tag, 1), elements)
}

func appendHeader(dst []byte, tag byte, fields int) []byte {
	return append(dst, tinyStruct|byte(fields), tag)
}

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, yes)
	}
	return append(dst, no)
}

func appendInt(dst []byte, i int64) []byte {
	switch {
	case i >= -16 && i <= math.MaxInt8:
		return append(dst, byte(i))
	case i >= math.MinInt8 && i < 0:
		return append(dst, int8bits, byte(i))
	case i >= math.MinInt16 && i <= math.MaxInt16:
		return binary.BigEndian.AppendUint16(append(dst, int16bits), uint16(i))
	case i >= math.MinInt32 && i <= math.MaxInt32:
		return binary.BigEndian.AppendUint32(append(dst, int32bits), uint32(i))
	default:
		return binary.BigEndian.AppendUint64(append(dst, int64bits), uint64(i))
	}
}

func appendFloat(dst []byte, f float64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, float), math.Float64bits(f))
}

func appendString(dst []byte, s string) []byte {
	return append(appendLength(dst, len(s), tinyString, string8), s...)
}

func (d Dialect) appendList(dst []byte, elements []value.Value) []byte {
	dst = appendLength(dst, len(elements), tinyList, list8)
	for _, element := range elements {
		dst = d.Append(dst, element)
	}
	return dst
}

func (d Dialect) appendMap(dst []byte, entries []value.Entry) []byte {
	dst = appendLength(dst, len(entries), tinyMap, map8)
	for _, entry := range entries {
		dst = d.Append(appendString(dst, entry.Key), entry.Value)
	}
	return dst
}

// appendLength appends the marker of something with a length: tiny, or the first of long.
func appendLength(dst []byte, n int, tiny, long byte) []byte {
	switch {
	case n < 16:
		return append(dst, tiny|byte(n))
	case n <= math.MaxUint8:
		return append(dst, long, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, long+1), uint16(n))
	default:
		return binary.BigEndian.AppendUint32(append(dst, long+2), uint32(n))
	}
}
