package calendar

// UnitError is a unit that a point in time can't be truncated to.
type UnitError struct{ Unit string }

func (e *UnitError) Error() string { return "nothing can be truncated to " + e.Unit + " here" }

// TruncateDay is the first day of the unit that a day is in: millennium, century, decade, year,
// weekYear, quarter, month, week, or day.
func TruncateDay(day int64, unit string) (int64, error) {
	year, month, _ := Midnight(day).Date()
	y, m := int64(year), int64(month)
	switch unit {
	case "millennium":
		return FirstOf(FloorDiv(y, 1000)*1000, 1), nil
	case "century":
		return FirstOf(FloorDiv(y, 100)*100, 1), nil
	case "decade":
		return FirstOf(FloorDiv(y, 10)*10, 1), nil
	case "year":
		return FirstOf(y, 1), nil
	case "weekyear":
		return FirstMonday(WeekYear(day)), nil
	case "quarter":
		return FirstOf(y, (m-1)/3*3+1), nil
	case "month":
		return FirstOf(y, m), nil
	case "week":
		return day - Weekday(day) + 1, nil
	case "day":
		return day, nil
	}
	return 0, &UnitError{unit}
}

var clockUnits = map[string]int64{
	"day": NanosPerDay, "hour": 3600e9, "minute": 60e9, "second": 1e9, "millisecond": 1e6, "microsecond": 1e3,
}

// TruncateClock is when the unit that a time of day is in begins: day, hour, minute, second,
// millisecond, or microsecond.
func TruncateClock(nanos int64, unit string) (int64, error) {
	length, ok := clockUnits[unit]
	if !ok {
		return 0, &UnitError{unit}
	}
	return nanos - nanos%length, nil
}
