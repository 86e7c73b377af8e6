package value

import "time"

func hasDate(v Value) bool {
	return v.Kind() == Date || v.Kind() == LocalDateTime || v.Kind() == DateTime
}

// DayPart is the date of a value that has one.
func DayPart(v Value) int64 {
	if v.Kind() == Date {
		return v.Days()
	}
	day, _ := split(v.DateTime())
	return day
}

// ClockPart is the time of day of a value; that of a date is midnight.
func ClockPart(v Value) int64 {
	switch v.Kind() {
	case Date:
		return 0
	case LocalTime:
		return v.Nanos()
	case Time:
		return v.Time().Nanos
	}
	_, nanos := split(v.DateTime())
	return nanos
}

// ZoneOf is the zone or offset of a value; nil: it has none.
func ZoneOf(v Value) *time.Location {
	switch v.Kind() {
	case Time:
		return Offset(int(v.Time().Offset))
	case DateTime:
		return v.DateTime().Location()
	}
	return nil
}
