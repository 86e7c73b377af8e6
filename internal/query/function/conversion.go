package function

import (
	"math"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
)

func init() {
	conversion("Integer", number|text|boolean, toInteger)
	conversion("Float", number|text, toFloat)
	conversion("Boolean", boolean|text, toBoolean)
	conversion("String", written, toString)
}

// conversion is three functions: one refuses what can't be converted, one gives null for it, and
// one goes by the elements of a list.
func conversion(to string, from Kinds, convert func(value.Value) value.Value) {
	tolerant := func(v value.Value) value.Value {
		if !from.Has(v.Kind()) {
			return value.Value{}
		}
		return convert(v)
	}
	Register(
		pure("to"+to, 1, takes(from), each(convert)),
		pure("to"+to+"OrNull", 1, takes(anything), each(tolerant)),
		pure("to"+to+"List", 1, takes(list), func(_ *Call, args []value.Value) (value.Value, error) {
			var converted []value.Value
			for _, e := range args[0].List() {
				converted = append(converted, tolerant(e))
			}
			return value.OfList(converted), nil
		}),
	)
}

func each(convert func(value.Value) value.Value) body {
	return func(_ *Call, args []value.Value) (value.Value, error) { return convert(args[0]), nil }
}

// toInteger cuts off fractions. Numbers that are no 64-bit integers, and strings that are no
// numbers, are null.
func toInteger(v value.Value) value.Value {
	switch v.Kind() {
	case value.Int:
		return v
	case value.Bool:
		return value.OfInt(int64(bit(v.Bool())))
	case value.Float:
		return truncated(v.Float())
	}
	s := strings.TrimSpace(v.Str())
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return value.OfInt(i)
	}
	f := toFloat(v)
	if f.IsNull() {
		return f
	}
	return truncated(f.Float())
}

func truncated(f float64) value.Value {
	if f = math.Trunc(f); f >= -1<<63 && f < 1<<63 {
		return value.OfInt(int64(f))
	}
	return value.Value{}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func toFloat(v value.Value) value.Value {
	if v.IsNumber() {
		return value.OfFloat(v.Number())
	}
	s := strings.TrimSpace(v.Str())
	if strings.ContainsAny(s, "xX_pP") {
		return value.Value{} // Go's, not openCypher's
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return value.Value{}
	}
	return value.OfFloat(f)
}

// toBoolean takes the words true and false in any case. Integers are none of its types, as
// openCypher has it (Neo4j takes them).
func toBoolean(v value.Value) value.Value {
	if v.Kind() == value.Bool {
		return v
	}
	switch strings.ToLower(strings.TrimSpace(v.Str())) {
	case "true":
		return value.OfBool(true)
	case "false":
		return value.OfBool(false)
	}
	return value.Value{}
}

func toString(v value.Value) value.Value { return value.OfString(plain(v)) }

// plain is the text of a value, without the quotes that literals have.
func plain(v value.Value) string {
	switch {
	case v.Kind() == value.String:
		return v.Str()
	case (instant | duration).Has(v.Kind()):
		return v.ISO()
	}
	return v.Text()
}
