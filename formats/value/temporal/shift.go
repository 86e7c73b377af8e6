package temporal

import (
	"math"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/calendar"
)

// Shift is a point in time moved by a duration: by its months, where a day that the month lacks
// becomes its last, then by days, then by the rest. A date takes whole days of that; times of day
// take nothing else.
func Shift(v value.Value, by value.Span) (value.Value, error) {
	switch v.Kind() {
	case value.Date:
		days, err := shiftDays(v.Days(), by.Months, by.Days)
		if err == nil {
			days, err = addDays(days, wholeDays(by))
		}
		return value.OfDate(days), err
	case value.LocalTime:
		return value.OfLocalTime(shiftClock(v.Nanos(), by)), nil
	case value.Time:
		t := v.Time()
		return value.OfTime(value.ZonedTime{Nanos: shiftClock(t.Nanos, by), Offset: t.Offset}), nil
	case value.LocalDateTime:
		t, err := shiftMoment(v.DateTime(), by)
		return value.OfLocalDateTime(t), err
	}
	t, err := shiftMoment(v.DateTime(), by)
	return value.OfDateTime(t), err
}

// wholeDays of the seconds, towards zero.
func wholeDays(s value.Span) int64 {
	seconds := s.Seconds
	if seconds < 0 && s.Nanos > 0 {
		seconds++
	}
	return seconds / calendar.SecondsPerDay
}

// shiftDays moves a day by months and then by days.
func shiftDays(day, months, days int64) (int64, error) {
	if months > calendar.MaxDay || months < calendar.MinDay { // far more than there are, and no sum overflows
		return 0, &calendar.RangeError{What: "the date"}
	}
	year, month, dayOfMonth := calendar.Midnight(day).Date()
	n := int64(year)*12 + int64(month-1) + months
	to, err := calendar.DayOf(calendar.FloorDiv(n, 12), n-calendar.FloorDiv(n, 12)*12+1, 1)
	if err != nil {
		return 0, err
	}
	return addDays(to+min(int64(dayOfMonth), calendar.DaysIn(to))-1, days)
}

func addDays(day, days int64) (int64, error) {
	sum, fits := day+days, days > math.MinInt64/2 && days < math.MaxInt64/2
	if fits && sum >= calendar.MinDay && sum <= calendar.MaxDay {
		return sum, nil
	}
	return 0, &calendar.RangeError{What: "the date"}
}

func shiftClock(nanos int64, by value.Span) int64 {
	sum := nanos + by.Seconds%calendar.SecondsPerDay*1e9 + int64(by.Nanos)
	return sum - calendar.FloorDiv(sum, calendar.NanosPerDay)*calendar.NanosPerDay
}

// shiftMoment moves months, then days, on the calendar of the zone, where days may be longer or
// shorter than others; and then seconds. Months may lead into an hour that the zone skips: the
// days go on from where its clocks then stand.
func shiftMoment(t time.Time, by value.Span) (time.Time, error) {
	for _, step := range []value.Span{{Months: by.Months}, {Days: by.Days}} {
		if step == (value.Span{}) {
			continue
		}
		days, nanos := calendar.Split(t)
		days, err := shiftDays(days, step.Months, step.Days)
		if err != nil {
			return t, err
		}
		t = calendar.Moment(days, nanos, t.Location())
	}
	seconds := t.Unix() + by.Seconds
	const most = calendar.MaxSecond
	if by.Seconds > most*2 || by.Seconds < -most*2 || seconds > most || seconds < -most {
		return t, &calendar.RangeError{What: "the date"}
	}
	return inRange(time.Unix(seconds, int64(t.Nanosecond())+int64(by.Nanos)).In(t.Location()))
}

func inRange(t time.Time) (time.Time, error) {
	if year := t.Year(); year > calendar.MaxYear || year < -calendar.MaxYear {
		return t, &calendar.RangeError{What: "the date"}
	}
	return t, nil
}
