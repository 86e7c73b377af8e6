package value

import (
	"math/bits"
	"strings"
	"time"
)

// PartError is a part that a value of a kind does not have.
type PartError struct {
	Kind Kind
	Name string
}

func (e *PartError) Error() string { return "a " + e.Kind.String() + " has no " + e.Name }

// Part is a part of a temporal value, duration or point by name, of whatever case: year, hour,
// monthsOfYear, x.
func Part(v Value, name string) (Value, error) {
	part, ok := partOf(v, strings.ToLower(name))
	switch {
	case !ok:
		return Value{}, &PartError{v.Kind(), name}
	case v.Kind() == Duration && part.IsNull():
		return Value{}, &RangeError{name + " of a duration as long as " + v.ISO()}
	}
	return part, nil
}

func partOf(v Value, name string) (Value, bool) {
	switch v.Kind() {
	case Date:
		return dayPart(v.Days(), name)
	case LocalTime:
		return clockPart(v.Nanos(), name)
	case Time:
		t := v.Time()
		return either(clockPart, t.Nanos, zonePart, time.Unix(0, 0).In(Offset(int(t.Offset))), name)
	case LocalDateTime:
		day, nanos := split(v.DateTime())
		return either(dayPart, day, clockPart, nanos, name)
	case DateTime:
		return dateTimePart(v.DateTime(), name)
	case Duration:
		return spanPart(v.Duration(), name)
	case Point:
		return placePart(v.Point(), name)
	}
	return Value{}, false
}

// either is a part of one thing, or else of another.
func either[A, B any](first func(A, string) (Value, bool), a A, second func(B, string) (Value, bool), b B,
	name string) (Value, bool) {
	if part, ok := first(a, name); ok {
		return part, true
	}
	return second(b, name)
}

func dayPart(day int64, name string) (Value, bool) {
	year, month, dayOfMonth := dayOf(day).Date()
	first := firstOf(int64(year), 1)
	quarter := (int64(month) + 2) / 3
	switch name {
	case "year":
		return OfInt(int64(year)), true
	case "quarter":
		return OfInt(quarter), true
	case "month":
		return OfInt(int64(month)), true
	case "week":
		return OfInt((day-firstMonday(weekYear(day)))/7 + 1), true
	case "weekyear":
		return OfInt(weekYear(day)), true
	case "dayofquarter":
		return OfInt(day - firstOf(int64(year), quarter*3-2) + 1), true
	case "day":
		return OfInt(int64(dayOfMonth)), true
	case "ordinalday":
		return OfInt(day - first + 1), true
	case "dayofweek", "weekday":
		return OfInt(weekday(day)), true
	}
	return Value{}, false
}

func clockPart(nanos int64, name string) (Value, bool) {
	switch name {
	case "hour":
		return OfInt(nanos / 3600e9), true
	case "minute":
		return OfInt(nanos / 60e9 % 60), true
	case "second":
		return OfInt(nanos / 1e9 % 60), true
	case "millisecond":
		return OfInt(nanos % 1e9 / 1e6), true
	case "microsecond":
		return OfInt(nanos % 1e9 / 1e3), true
	case "nanosecond":
		return OfInt(nanos % 1e9), true
	}
	return Value{}, false
}

func zonePart(t time.Time, name string) (Value, bool) {
	_, offset := t.Zone()
	text := string(appendOffset(nil, offset))
	switch name {
	case "timezone":
		if zone := t.Location().String(); zone != "" {
			text = zone
		}
		return OfString(text), true
	case "offset":
		return OfString(text), true
	case "offsetminutes":
		return OfInt(int64(offset) / 60), true
	case "offsetseconds":
		return OfInt(int64(offset)), true
	}
	return Value{}, false
}

func dateTimePart(t time.Time, name string) (Value, bool) {
	switch name {
	case "epochseconds":
		return OfInt(t.Unix()), true
	case "epochmillis":
		return OfInt(t.UnixMilli()), true
	}
	if part, ok := zonePart(t, name); ok {
		return part, true
	}
	day, nanos := split(t)
	return either(dayPart, day, clockPart, nanos, name)
}

// spanPart is null where a part is there, but has more than 64 bits.
func spanPart(s Span, name string) (Value, bool) {
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
	return OfInt(n), ok
}

// inUnits is the seconds in a smaller unit.
func inUnits(s Span, perSecond int64) Value {
	magnitude := uint64(max(s.Seconds, -s.Seconds))
	if high, low := bits.Mul64(magnitude, uint64(perSecond)); high != 0 || low > 1<<63-1e9 {
		return Value{}
	}
	return OfInt(s.Seconds*perSecond + int64(s.Nanos)*perSecond/1e9)
}

func placePart(p Place, name string) (Value, bool) {
	switch {
	case name == "srid":
		return OfInt(int64(p.SRID)), true
	case name == "crs":
		return OfString(p.System()), true
	case name == "x", name == "longitude" && p.Geographic():
		return OfFloat(p.X), true
	case name == "y", name == "latitude" && p.Geographic():
		return OfFloat(p.Y), true
	case p.Dimensions() == 3 && (name == "z" || name == "height" && p.Geographic()):
		return OfFloat(p.Z), true
	}
	return Value{}, false
}
