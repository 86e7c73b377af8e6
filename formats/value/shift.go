package value

import (
	"math"
	"time"
)

// Shift is a point in time moved by a duration: by its months, where a day that the month lacks
// becomes its last, then by days, then by the rest. A date takes whole days of that; times of day
// take nothing else.
func Shift(v Value, by Span) (Value, error) {
	switch v.Kind() {
	case Date:
		days, err := shiftDays(v.Days(), by.Months, by.Days)
		if err == nil {
			days, err = addDays(days, wholeDays(by))
		}
		return OfDate(days), err
	case LocalTime:
		return OfLocalTime(shiftClock(v.Nanos(), by)), nil
	case Time:
		t := v.Time()
		return OfTime(ZonedTime{shiftClock(t.Nanos, by), t.Offset}), nil
	case LocalDateTime:
		t, err := shiftMoment(v.DateTime(), by)
		return OfLocalDateTime(t), err
	}
	t, err := shiftMoment(v.DateTime(), by)
	return OfDateTime(t), err
}

// wholeDays of the seconds, towards zero.
func wholeDays(s Span) int64 {
	seconds := s.Seconds
	if seconds < 0 && s.Nanos > 0 {
		seconds++
	}
	return seconds / secondsPerDay
}

// shiftDays moves a day by months and then by days.
func shiftDays(day, months, days int64) (int64, error) {
	if months > maxDay || months < minDay { // far more than there are, and no sum overflows
		return 0, &RangeError{"the date"}
	}
	year, month, dayOfMonth := dayOf(day).Date()
	n := int64(year)*12 + int64(month-1) + months
	to, err := DayOf(floorDiv(n, 12), n-floorDiv(n, 12)*12+1, 1)
	if err != nil {
		return 0, err
	}
	return addDays(to+min(int64(dayOfMonth), daysIn(to))-1, days)
}

func addDays(day, days int64) (int64, error) {
	if sum := day + days; days > math.MinInt64/2 && days < math.MaxInt64/2 && sum >= minDay && sum <= maxDay {
		return sum, nil
	}
	return 0, &RangeError{"the date"}
}

func shiftClock(nanos int64, by Span) int64 {
	sum := nanos + by.Seconds%secondsPerDay*1e9 + int64(by.Nanos)
	return sum - floorDiv(sum, nanosPerDay)*nanosPerDay
}

// shiftMoment moves months, then days, on the calendar of the zone, where days may be longer or
// shorter than others; and then seconds. Months may lead into an hour that the zone skips: the
// days go on from where its clocks then stand.
func shiftMoment(t time.Time, by Span) (time.Time, error) {
	for _, step := range []Span{{Months: by.Months}, {Days: by.Days}} {
		if step == (Span{}) {
			continue
		}
		days, nanos := split(t)
		days, err := shiftDays(days, step.Months, step.Days)
		if err != nil {
			return t, err
		}
		t = Moment(days, nanos, t.Location())
	}
	seconds := t.Unix() + by.Seconds
	if by.Seconds > maxSecond*2 || by.Seconds < -maxSecond*2 || seconds > maxSecond || seconds < -maxSecond {
		return t, &RangeError{"the date"}
	}
	return inRange(time.Unix(seconds, int64(t.Nanosecond())+int64(by.Nanos)).In(t.Location()))
}

func inRange(t time.Time) (time.Time, error) {
	if year := t.Year(); year > maxYear || year < -maxYear {
		return t, &RangeError{"the date"}
	}
	return t, nil
}
