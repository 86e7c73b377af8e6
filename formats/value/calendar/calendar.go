package calendar

import (
	"strconv"
	"time"
)

// FieldError is a part of a date or time that is not there, or not in that month or year.
type FieldError struct {
	Field      string
	Value      int64
	From, Last int64
}

func (e *FieldError) Error() string {
	return e.Field + " can't be " + strconv.FormatInt(e.Value, 10) + ": it goes from " + strconv.FormatInt(e.From, 10) +
		" to " + strconv.FormatInt(e.Last, 10)
}

func within(field string, n, from, last int64) error {
	if n < from || n > last {
		return &FieldError{field, n, from, last}
	}
	return nil
}

// FirstOf is the first day of a month.
func FirstOf(year, month int64) int64 {
	return FloorDiv(time.Date(int(year), time.Month(month), 1, 0, 0, 0, 0, time.UTC).Unix(), SecondsPerDay)
}

// DayOf is the date of a year, month and day.
func DayOf(year, month, day int64) (int64, error) {
	if err := within("year", year, -MaxYear, MaxYear); err != nil {
		return 0, err
	}
	if err := within("month", month, 1, 12); err != nil {
		return 0, err
	}
	first := FirstOf(year, month)
	return first + day - 1, within("day", day, 1, DaysIn(first))
}

// DayOfWeek is the date of an ISO week and its day: the first week has the year's first Thursday.
func DayOfWeek(year, week, day int64) (int64, error) {
	if err := within("year", year, -MaxYear, MaxYear); err != nil {
		return 0, err
	}
	first, next := FirstMonday(year), FirstMonday(year+1)
	if err := within("week", week, 1, (next-first)/7); err != nil {
		return 0, err
	}
	return first + (week-1)*7 + day - 1, within("dayOfWeek", day, 1, 7)
}

// FirstMonday is the day on which the first week of a year begins; January 4th is in it.
func FirstMonday(year int64) int64 {
	fourth := FirstOf(year, 1) + 3
	return fourth - Weekday(fourth) + 1
}

// Weekday of a day, from Monday, 1, to Sunday, 7.
func Weekday(day int64) int64 { return day + 3 - FloorDiv(day+3, 7)*7 + 1 }

// DayOfYear is the date of a year and its day.
func DayOfYear(year, day int64) (int64, error) {
	if err := within("year", year, -MaxYear, MaxYear); err != nil {
		return 0, err
	}
	first := FirstOf(year, 1)
	return first + day - 1, within("ordinalDay", day, 1, FirstOf(year+1, 1)-first)
}

// DayOfQuarter is the date of a quarter of a year and its day.
func DayOfQuarter(year, quarter, day int64) (int64, error) {
	if err := within("year", year, -MaxYear, MaxYear); err != nil {
		return 0, err
	}
	if err := within("quarter", quarter, 1, 4); err != nil {
		return 0, err
	}
	first := FirstOf(year, quarter*3-2)
	return first + day - 1, within("dayOfQuarter", day, 1, FirstOf(year, quarter*3+1)-first)
}

// ClockOf is a time of day, in nanoseconds.
func ClockOf(hour, minute, second, nanos int64) (int64, error) {
	for _, part := range []struct {
		field   string
		n, last int64
	}{{"hour", hour, 23}, {"minute", minute, 59}, {"second", second, 59}, {"nanosecond", nanos, 1e9 - 1}} {
		if err := within(part.field, part.n, 0, part.last); err != nil {
			return 0, err
		}
	}
	return ((hour*60+minute)*60+second)*1e9 + nanos, nil
}

// DaysIn is how many days the month of a day has.
func DaysIn(day int64) int64 {
	year, month, _ := Midnight(day).Date()
	return int64(time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day())
}

// WeekYear is the year that the week of a day belongs to: that of its Thursday.
func WeekYear(day int64) int64 { return int64(Midnight(day - Weekday(day) + 4).Year()) }
