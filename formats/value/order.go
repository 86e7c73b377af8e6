package value

import (
	"cmp"
	"strings"
	"time"

	"github.com/penstock-db/penstock/formats/value/calendar"
)

// ranks are where the kinds stand in the order of all values.
var ranks = [...]int8{
	Map: 0, Node: 1, Relationship: 2, List: 3, Path: 4, Point: 5, DateTime: 6, LocalDateTime: 7, Date: 8, Time: 9,
	LocalTime: 10, Duration: 11, String: 12, Bool: 13, Int: 14, Float: 14, Null: 15,
}

// Order is less than, equal to or greater than 0 as a comes before, with or after b under ORDER BY
// (openCypher's CIP2016-06-14): values of all kinds have their place, null is last and NaN the
// greatest number. It is 0 exactly where a and b are equivalent.
func Order(a, b Value) int {
	if c := cmp.Compare(ranks[a.kind], ranks[b.kind]); c != 0 {
		return c
	}
	switch a.kind {
	case Map:
		return orderMaps(a.Map(), b.Map())
	case List:
		return orderLists(a.List(), b.List())
	case Path:
		return orderPaths(a.Path(), b.Path())
	case Node, Relationship:
		return cmp.Compare(a.bits, b.bits)
	case Int, Float:
		return compareNumbers(a, b)
	case Point:
		return orderPoints(a.Point(), b.Point())
	case Duration:
		return orderSpans(a.Duration(), b.Duration())
	case Null:
		return 0
	}
	return compareSame(a, b)
}

// compareSame orders values of one kind of which any two can be compared by <.
func compareSame(a, b Value) int {
	switch a.kind {
	case String:
		return strings.Compare(a.Str(), b.Str())
	case Time:
		return compareTimes(a.Time(), b.Time())
	case LocalDateTime, DateTime:
		return compareDateTimes(a.DateTime(), b.DateTime())
	}
	return cmp.Compare(int64(a.bits), int64(b.bits)) // Bool, Date, LocalTime
}

// orderMaps has smaller maps first, then goes by keys, then by values.
func orderMaps(a, b []Entry) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	for i := range a {
		if c := strings.Compare(a[i].Key, b[i].Key); c != 0 {
			return c
		}
	}
	for i := range a {
		if c := Order(a[i].Value, b[i].Value); c != 0 {
			return c
		}
	}
	return 0
}

func orderLists(a, b []Value) int {
	for i := range min(len(a), len(b)) {
		if c := Order(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// orderPaths takes nodes and relationships by turns, as the path goes.
func orderPaths(a, b *PathContent) int {
	for i := range min(len(a.Relationships), len(b.Relationships)) {
		if c := Order(a.Nodes[i], b.Nodes[i]); c != 0 {
			return c
		}
		if c := Order(a.Relationships[i], b.Relationships[i]); c != 0 {
			return c
		}
	}
	return orderLists(a.Nodes, b.Nodes)
}

func orderPoints(a, b Place) int {
	return cmp.Or(cmp.Compare(a.SRID, b.SRID), compareFloats(a.X, b.X), compareFloats(a.Y, b.Y), compareFloats(a.Z, b.Z))
}

// compareTimes goes by the moment on one day, then by the offset.
func compareTimes(a, b ZonedTime) int {
	return cmp.Or(cmp.Compare(a.utc(), b.utc()), cmp.Compare(a.Offset, b.Offset))
}

// utc is nanoseconds since midnight in UTC, negative on the day before.
func (t ZonedTime) utc() int64 { return t.Nanos - int64(t.Offset)*int64(time.Second) }

// compareDateTimes goes by the moment, then by the offset and the name of the zone.
func compareDateTimes(a, b time.Time) int {
	if c := a.Compare(b); c != 0 {
		return c
	}
	_, x := a.Zone()
	_, y := b.Zone()
	return cmp.Or(cmp.Compare(x, y), strings.Compare(a.Location().String(), b.Location().String()))
}

// orderSpans goes by how long they are on average; those equally long go by their parts.
func orderSpans(a, b Span) int {
	return cmp.Or(cmp.Compare(a.average(), b.average()), cmp.Compare(a.Nanos, b.Nanos),
		cmp.Compare(a.Months, b.Months), cmp.Compare(a.Days, b.Days), cmp.Compare(a.Seconds, b.Seconds))
}

// average is the whole seconds, a month being the twelfth of a Gregorian year. They are exact to
// 285 million years.
func (s Span) average() float64 {
	return float64(s.Months)*secondsPerMonth + float64(s.Days)*calendar.SecondsPerDay + float64(s.Seconds)
}

const secondsPerMonth = 2629746 // 365.2425 days / 12
