package function

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// fields are what a map says about a point in time, by name in lower case.
type fields map[string]value.Value

var (
	calendarFields = []string{"date", "datetime", "year", "quarter", "month", "week", "day", "ordinalday", "dayofweek",
		"dayofquarter"}
	clockFields  = []string{"time", "datetime", "hour", "minute", "second", "millisecond", "microsecond", "nanosecond"}
	epochFields  = []string{"epochseconds", "epochmillis"}
	selectFields = []string{"date", "time", "datetime"} // they name other points in time
)

// read the fields of a map. All must be ones that the type has, and of the right kinds.
func (t temporalType) read(m value.Value) (fields, error) {
	f := fields{}
	for _, e := range m.Map() {
		name := strings.ToLower(e.Key)
		if !t.knows(name) {
			return nil, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "a %s has no field %s", t.kind, e.Key)
		}
		if kinds := fieldKinds(name); !kinds.Has(e.Value.Kind()) {
			return nil, fault.Met(fault.TypeError, "InvalidArgumentValue", "the field %s of a %s takes %s, not the %s %s", e.Key,
				t.kind, kinds, e.Value.Kind(), short(e.Value))
		}
		f[name] = e.Value
	}
	return f, nil
}

func (t temporalType) knows(name string) bool {
	return name == "timezone" || t.date && slices.Contains(calendarFields, name) || t.clock &&
		slices.Contains(clockFields, name) ||
		t.kind == value.DateTime && slices.Contains(epochFields, name)
}

func fieldKinds(name string) Kinds {
	switch {
	case name == "timezone":
		return text
	case name == "time":
		return instant &^ KindsOf(value.Date)
	case slices.Contains(selectFields, name):
		return dated
	}
	return integer
}

// has tells whether any of some fields is there.
func (f fields) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := f[name]; return ok })
}

// number of a field; otherwise if it is not there.
func (f fields) number(name string, otherwise int64) int64 {
	if v, ok := f[name]; ok {
		return v.Int()
	}
	return otherwise
}

// either of two fields; null: neither is there.
func (f fields) either(name, other string) value.Value {
	if v, ok := f[name]; ok {
		return v
	}
	return f[other]
}
