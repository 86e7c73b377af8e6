package function

import (
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// In tells whether b has an element that equals a. That is not known if it could be a null.
func In(a, b value.Value) (value.Value, error) {
	if b.IsNull() {
		return null()
	}
	if b.Kind() != value.List {
		return value.Value{}, fault.Met(fault.TypeError, "InvalidArgumentType", "IN looks into List, not the %s %s", b.Kind(),
			short(b))
	}
	sure := true
	for _, e := range b.List() {
		eq, known := value.Equal(a, e)
		if eq && known {
			return value.OfBool(true), nil
		}
		sure = sure && known
	}
	return truth(false, sure), nil
}

// StartsWith is STARTS WITH. It is null unless both are strings, as are the others.
func StartsWith(a, b value.Value) (value.Value, error) { return ofStrings(a, b, strings.HasPrefix) }

// EndsWith is ENDS WITH.
func EndsWith(a, b value.Value) (value.Value, error) { return ofStrings(a, b, strings.HasSuffix) }

// Contains is CONTAINS.
func Contains(a, b value.Value) (value.Value, error) { return ofStrings(a, b, strings.Contains) }

func ofStrings(a, b value.Value, holds func(a, b string) bool) (value.Value, error) {
	if a.Kind() != value.String || b.Kind() != value.String {
		return null()
	}
	return value.OfBool(holds(a.Str(), b.Str())), nil
}
