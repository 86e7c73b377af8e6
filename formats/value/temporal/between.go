package temporal

import (
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/calendar"
)

// Between is the duration from one point in time to another, in months, days and the rest. What
// one has and the other lacks (a date, a time of day, a zone) is taken to be the same; a time of
// day that both lack or only a date has not is midnight.
func Between(from, to value.Value) value.Span {
	a, b := align(from, to)
	var months, days int64
	if hasDate(from) && hasDate(to) {
		months = monthsBetween(a, b)
		a = advance(a, months, 0)
		days = daysBetween(a, b)
		a = advance(a, 0, days)
	}
	s := secondsBetween(a, b)
	s.Months, s.Days = months, days
	return s
}

// InMonths is the whole months from one date to another.
func InMonths(from, to value.Value) value.Span {
	if !hasDate(from) || !hasDate(to) {
		return value.Span{}
	}
	return value.Span{Months: monthsBetween(align(from, to))}
}

// InDays is the whole days from one date to another.
func InDays(from, to value.Value) value.Span {
	if !hasDate(from) || !hasDate(to) {
		return value.Span{}
	}
	return value.Span{Days: daysBetween(align(from, to))}
}

// InSeconds is the time from one point in time to another.
func InSeconds(from, to value.Value) value.Span { return secondsBetween(align(from, to)) }

// align makes moments of both, in the zone of the first, or else of the second.
func align(from, to value.Value) (a, b time.Time) {
	zone, day := time.UTC, int64(0)
	for _, v := range []value.Value{to, from} { // the first has the last word
		if at := ZoneOf(v); at != nil {
			zone = at
		}
		if hasDate(v) {
			day = DayPart(v)
		}
	}
	return on(from, day, zoneOr(from, to, zone)).In(zone), on(to, day, zoneOr(to, from, zone)).In(zone)
}

func zoneOr(v, other value.Value, otherwise *time.Location) *time.Location {
	for _, of := range []value.Value{v, other} {
		if zone := ZoneOf(of); zone != nil {
			return zone
		}
	}
	return otherwise
}

// on is the moment of a value, on a day if it has none, in a zone if it has none.
func on(v value.Value, day int64, zone *time.Location) time.Time {
	if v.Kind() == value.DateTime {
		return v.DateTime()
	}
	if hasDate(v) {
		day = DayPart(v)
	}
	return calendar.Moment(day, ClockPart(v), zone)
}

func monthsBetween(a, b time.Time) int64 {
	from, to := calendarDays(a, b)
	x, y := calendar.Midnight(from), calendar.Midnight(to)
	// a month is full on the same day of the next: 32 days apart, if all months had 32
	return (months32(y) - months32(x)) / 32
}

func months32(t time.Time) int64 {
	return (int64(t.Year())*12+int64(t.Month()))*32 + int64(t.Day())
}

func daysBetween(a, b time.Time) int64 {
	from, to := calendarDays(a, b)
	return to - from
}

// calendarDays are the dates of both, the second moved towards the first if its last day is not
// full.
func calendarDays(a, b time.Time) (from, to int64) {
	from, x := calendar.Split(a)
	to, y := calendar.Split(b.In(a.Location()))
	switch {
	case to > from && y < x:
		to--
	case to < from && y > x:
		to++
	}
	return from, to
}

// advance moves to a date that lies before another one, and so within the range.
func advance(t time.Time, months, days int64) time.Time {
	t, _ = shiftMoment(t, value.Span{Months: months, Days: days})
	return t
}

func secondsBetween(a, b time.Time) value.Span {
	s := value.Span{Seconds: b.Unix() - a.Unix(), Nanos: int32(b.Nanosecond() - a.Nanosecond())}
	if s.Nanos < 0 {
		s.Seconds, s.Nanos = s.Seconds-1, s.Nanos+1e9
	}
	return s
}
