package function

import (
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
)

func init() {
	Register(
		total("coalesce", 1, -1, coalesce), total("nullIf", 2, 2, nullIf), total("valueType", 1, 1, valueType),
		chance("randomUUID", randomUUID), impure("timestamp", 0, nil, timestamp),
	)
}

// coalesce is the first argument that is not null.
func coalesce(_ *Call, args []value.Value) (value.Value, error) {
	for _, arg := range args {
		if !arg.IsNull() {
			return arg, nil
		}
	}
	return null()
}

// nullIf is null if the arguments are the same, else the first.
func nullIf(_ *Call, args []value.Value) (value.Value, error) {
	if value.Equivalent(args[0], args[1]) {
		return null()
	}
	return args[0], nil
}

// randomUUID is a version 4 UUID (RFC 9562).
func randomUUID(call *Call, _ []value.Value) (value.Value, error) {
	r := call.random()
	high, low := r.Uint64(), r.Uint64()
	high = high&^0xf000 | 0x4000
	low = low&^(3<<62) | 1<<63
	return value.OfString(fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48,
		low&(1<<48-1))), nil
}

// timestamp is the milliseconds since 1970 at which the statement began.
func timestamp(call *Call, _ []value.Value) (value.Value, error) {
	return value.OfInt(call.Statement.UnixMilli()), nil
}

var typeNames = [...]string{
	value.Bool: "BOOLEAN", value.Int: "INTEGER", value.Float: "FLOAT", value.String: "STRING", value.Map: "MAP",
	value.Node:         "NODE",
	value.Relationship: "RELATIONSHIP", value.Path: "PATH", value.Date: "DATE", value.LocalTime: "LOCAL TIME",
	value.Time:          "ZONED TIME",
	value.LocalDateTime: "LOCAL DATETIME", value.DateTime: "ZONED DATETIME", value.Duration: "DURATION",
	value.Point: "POINT",
}

func valueType(_ *Call, args []value.Value) (value.Value, error) {
	return value.OfString(typeOf(args[0])), nil
}

// typeOf is the name of the narrowest type that the value is of.
func typeOf(v value.Value) string {
	switch v.Kind() {
	case value.Null:
		return "NULL"
	case value.List:
		return "LIST<" + elementType(v.List()) + "> NOT NULL"
	}
	return typeNames[v.Kind()] + " NOT NULL"
}

// elementType is the union of what types the elements have. It may be null only if one is.
func elementType(elements []value.Value) string {
	var names []string
	nullable := false
	for _, e := range elements {
		if nullable = nullable || e.IsNull(); !e.IsNull() {
			names = append(names, strings.TrimSuffix(typeOf(e), " NOT NULL"))
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	switch {
	case len(elements) == 0:
		return "NOTHING"
	case len(names) == 0:
		return "NULL"
	case nullable:
		return strings.Join(names, " | ")
	}
	return strings.Join(names, " NOT NULL | ") + " NOT NULL"
}
