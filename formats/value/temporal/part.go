package temporal

import (
	"math/bits"
	"strings"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/calendar"
)

// PartError is a part that a value of a kind does not have.
type PartError struct {
	Kind value.Kind
	Name string
}

func (e *PartError) Error() string { return "a " + e.Kind.String() + " has no " + e.Name }

// Part is a part of a temporal value, duration or point by name, of whatever case: year, hour,
// monthsOfYear, x.
func Part(v value.Value, name string) (value.Value, error) {
	part, ok := partOf(v, strings.ToLower(name))
	switch {
	case !ok:
		return value.Value{}, &PartError{v.Kind(), name}
	case v.Kind() == value.Duration && part.IsNull():
		return value.Value{}, &calendar.RangeError{What: name + " of a duration as long as " + v.ISO()}
	}
	return part, nil
}

func partOf(v value.Value, name string) (value.Value, bool) {
	switch v.Kind() {
	case value.Date:
		return dayPart(v.Days(), name)
	case value.LocalTime:
		return clockPart(v.Nanos(), name)
	case value.Time:
		t := v.Time()
		return either(clockPart, t.Nanos, zonePart, time.Unix(0, 0).In(calendar.Offset(int(t.Offset))), name)
	case value.LocalDateTime:
		day, nanos := calendar.Split(v.DateTime())
		return either(dayPart, day, clockPart, nanos, name)
	case value.DateTime:
		return dateTimePart(v.DateTime(), name)
	case value.Duration:
		return spanPart(v.Duration(), name)
	case value.Point:
		return placePart(v.Point(), name)
	}
	return value.Value{}, false
}

// either is a part of one thing, or else of another.
func either[A, B any](first func(A, string) (value.Value, bool), a A, second func(B, string) (value.Value, bool), b B,
	name string) (value.Value, bool) {
	if part, ok := first(a, name); ok {
		return part, true
	}
	return second(b, name)
}

func dayPart(day int64, name string) (value.Value, bool) {
	year, month, dayOfMonth := calendar.Midnight(day).Date()
	first := calendar.FirstOf(int64(year), 1)
	quarter := (int64(month) + 2) / 3
	switch name {
	case "year":
		return value.OfInt(int64(year)), true
	case "quarter":
		return value.OfInt(quarter), true
	case "month":
		return value.OfInt(int64(month)), true
	case "week":
		return value.OfInt((day-calendar.FirstMonday(calendar.WeekYear(day)))/7 + 1), true
	case "weekyear":
		return value.OfInt(calendar.WeekYear(day)), true
	case "dayofquarter":
		return value.OfInt(day - calendar.FirstOf(int64(year), quarter*3-2) + 1), true
	case "day":
		return value.OfInt(int64(dayOfMonth)), true
	case "ordinalday":
		return value.OfInt(day - first + 1), true
	case "dayofweek", "weekday":
		return value.OfInt(calendar.Weekday(day)), true
	}
	return value.Value{}, false
}

func clockPart(nanos int64, name string) (value.Value, bool) {
	switch name {
	case "hour":
		return value.OfInt(nanos / 3600e9), true
	case "minute":
		return value.OfInt(nanos / 60e9 % 60), true
	case "second":
		return value.OfInt(nanos / 1e9 % 60), true
	case "millisecond":
		return value.OfInt(nanos % 1e9 / 1e6), true
	case "microsecond":
		return value.OfInt(nanos % 1e9 / 1e3), true
	case "nanosecond":
		return value.OfInt(nanos % 1e9), true
	}
	return value.Value{}, false
}

func zonePart(t time.Time, name string) (value.Value, bool) {
	_, offset := t.Zone()
	text := string(calendar.AppendOffset(nil, offset))
	switch name {
	case "timezone":
		if zone := t.Location().String(); zone != "" {
			text = zone
		}
		return value.OfString(text), true
	case "offset":
		return value.OfString(text), true
	case "offsetminutes":
		return value.OfInt(int64(offset) / 60), true
	case "offsetseconds":
		return value.OfInt(int64(offset)), true
	}
	return value.Value{}, false
}

func dateTimePart(t time.Time, name string) (value.Value, bool) {
	switch name {
	case "epochseconds":
		return value.OfInt(t.Unix()), true
	case "epochmillis":
		return value.OfInt(t.UnixMilli()), true
	}
	if part, ok := zonePart(t, name); ok {
		return part, true
	}
	day, nanos := calendar.Split(t)
	return either(dayPart, day, clockPart, nanos, name)
}

// spanPart is null where a part is there, but has more than 64 bits.
func spanPart(s value.Span, name string) (value.Value, bool) {
	switch name {
	case "milliseconds":
		return inUnits(s, 1e3), true
	case "microseconds":
		return inUnits(s, 1e6), true
	case "nanoseconds":
		return inUnits(s, 1e9), true
	}
	n, ok := map[string]int64{
		"years": s.Months / 12, "quarters": s.Months / 3, "months": s.Months,
		"quartersofyear": s.Months / 3 % 4, "monthsofyear": s.Months % 12, "monthsofquarter": s.Months % 3,
		"weeks": s.Days / 7, "days": s.Days, "daysofweek": s.Days % 7,
		"hours": s.Seconds / 3600, "minutes": s.Seconds / 60, "seconds": s.Seconds,
		"minutesofhour": s.Seconds / 60 % 60, "secondsofminute": s.Seconds % 60,
		"millisecondsofsecond": int64(s.Nanos) / 1e6, "microsecondsofsecond": int64(s.Nanos) / 1e3,
		"nanosecondsofsecond": int64(s.Nanos),
	}[name]
	return value.OfInt(n), ok
}

// inUnits is the seconds in a smaller unit.
func inUnits(s value.Span, perSecond int64) value.Value {
	magnitude := uint64(max(s.Seconds, -s.Seconds))
	if high, low := bits.Mul64(magnitude, uint64(perSecond)); high != 0 || low > 1<<63-1e9 {
		return value.Value{}
	}
	return value.OfInt(s.Seconds*perSecond + int64(s.Nanos)*perSecond/1e9)
}

func placePart(p value.Place, name string) (value.Value, bool) {
	switch {
	case name == "srid":
		return value.OfInt(int64(p.SRID)), true
	case name == "crs":
		return value.OfString(p.System()), true
	case name == "x", name == "longitude" && p.Geographic():
		return value.OfFloat(p.X), true
	case name == "y", name == "latitude" && p.Geographic():
		return value.OfFloat(p.Y), true
	case p.Dimensions() == 3 && (name == "z" || name == "height" && p.Geographic()):
		return value.OfFloat(p.Z), true
	}
	return value.Value{}, false
}
