package function

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/temporal"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// Index is subject[index]: of a list by position, counted from its end if negative; of a map by
// key. What is not there is null.
func Index(subject, index value.Value) (value.Value, error) {
	switch kind := subject.Kind(); {
	case subject.IsNull() || index.IsNull():
		return null()
	case kind == value.List && index.Kind() == value.Int:
		return at(subject.List(), index.Int()), nil
	case kind == value.List:
		return value.Value{}, fault.Met(fault.TypeError, "InvalidArgumentType",
			"a List is indexed by Integer, not by the %s %s", index.Kind(), short(index))
	case kind == value.Map && index.Kind() == value.String:
		return subject.Get(index.Str()), nil
	case kind == value.Map:
		return value.Value{}, fault.Met(fault.TypeError, "MapElementAccessByNonString",
			"a Map is indexed by String, not by the %s %s", index.Kind(), short(index))
	}
	return value.Value{}, fault.Met(fault.TypeError, "InvalidArgumentType",
		"the %s %s has no elements: only lists and maps have", subject.Kind(), short(subject))
}

func at(elements []value.Value, i int64) value.Value {
	if i < 0 {
		i += int64(len(elements))
	}
	if i < 0 || i >= int64(len(elements)) {
		return value.Value{}
	}
	return elements[i]
}

// Slice is list[from..to], without the element at to. Negative bounds count from the end; those
// beyond it are no error. Bounds that are not written are 0 and the greatest integer.
func Slice(list, from, to value.Value) (value.Value, error) {
	if list.IsNull() || from.IsNull() || to.IsNull() {
		return null()
	}
	if list.Kind() != value.List || from.Kind() != value.Int || to.Kind() != value.Int {
		return value.Value{}, fault.Met(fault.TypeError, "InvalidArgumentType",
			"a slice is of a List from Integer to Integer, not of %s from %s to %s", short(list), short(from), short(to))
	}
	elements := list.List()
	i, j := bound(elements, from.Int()), bound(elements, to.Int())
	return value.OfList(elements[i:max(i, j)]), nil
}

func bound(elements []value.Value, i int64) int {
	n := int64(len(elements))
	if i < 0 {
		i += n
	}
	return int(min(max(i, 0), n))
}

// Property is subject.key, of a map, or of the parts of a temporal value, duration or point.
func Property(subject value.Value, key string) (value.Value, error) {
	switch subject.Kind() {
	case value.Null:
		return null()
	case value.Map:
		return subject.Get(key), nil
	}
	if parted.Has(subject.Kind()) {
		return refused(temporal.Part(subject, key))
	}
	return value.Value{}, fault.Met(fault.TypeError, "InvalidArgumentType", "the %s %s has no properties", subject.Kind(),
		short(subject))
}

// parted are the kinds that have parts by name.
var parted = instant | duration | KindsOf(value.Point)
