package temporal

import (
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/calendar"
)

func hasDate(v value.Value) bool {
	return v.Kind() == value.Date || v.Kind() == value.LocalDateTime || v.Kind() == value.DateTime
}

// DayPart is the date of a value that has one.
func DayPart(v value.Value) int64 {
	if v.Kind() == value.Date {
		return v.Days()
	}
	day, _ := calendar.Split(v.DateTime())
	return day
}

// ClockPart is the time of day of a value; that of a date is midnight.
func ClockPart(v value.Value) int64 {
	switch v.Kind() {
	case value.Date:
		return 0
	case value.LocalTime:
		return v.Nanos()
	case value.Time:
		return v.Time().Nanos
	}
	_, nanos := calendar.Split(v.DateTime())
	return nanos
}

// ZoneOf is the zone or offset of a value; nil: it has none.
func ZoneOf(v value.Value) *time.Location {
	switch v.Kind() {
	case value.Time:
		return calendar.Offset(int(v.Time().Offset))
	case value.DateTime:
		return v.DateTime().Location()
	}
	return nil
}
