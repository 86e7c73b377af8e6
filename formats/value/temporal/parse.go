package temporal

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/calendar"
)

// ParseError is a text that is no value of a kind.
type ParseError struct {
	Kind value.Kind
	Text string
	Like string // what would be one
	Err  error  // what is wrong with it, where more is known
}

func (e *ParseError) Error() string {
	message := "'" + e.Text + "' is no " + e.Kind.String()
	if e.Err != nil {
		return message + ": " + e.Err.Error()
	}
	return message + ": write it like " + e.Like
}

func (e *ParseError) Unwrap() error { return e.Err }

// The forms of ISO 8601, with and without separators. Groups that differ in a last digit are the
// same field in another form.
const (
	dateForm = `(?P<year>[+-]\d{1,9}|\d{4})(?:` +
		`-(?P<month>\d\d?)(?:-(?P<day>\d\d?))?|(?P<month1>\d\d)(?P<day1>\d\d)?|` +
		`-?W(?P<week>\d\d?)(?:-?(?P<dayOfWeek>\d))?|-?Q(?P<quarter>\d)(?:-?(?P<dayOfQuarter>\d\d?))?|` +
		`-?(?P<ordinalDay>\d{3}))?`
	clockForm = `(?P<hour>\d\d)(?:` +
		`:(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?|` +
		`(?P<minute1>\d\d)(?:(?P<second1>\d\d)(?:[.,](?P<fraction1>\d{1,9}))?)?)?`
	offsetForm = `(?P<offset>Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)`
	zoneForm   = `(?:\[(?P<zone>[^\]]+)\])`
)

// form is what texts of a kind look like.
type form struct {
	kind    value.Kind
	pattern func() *regexp.Regexp // compiled when it is first used: programs start without it
	like    string
}

func formOf(kind value.Kind, pattern, like string) form {
	return form{kind, inFull(pattern), like}
}

// inFull matches texts that are of a pattern from end to end, in any case.
func inFull(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A(?i:` + pattern + `)\z`) })
}

var (
	dates          = formOf(value.Date, dateForm, "2015-07-21")
	localTimes     = formOf(value.LocalTime, clockForm, "21:40:32.142")
	times          = formOf(value.Time, clockForm+offsetForm+`?`, "21:40:32.142+01:00")
	localDateTimes = formOf(value.LocalDateTime, dateForm+`(?:T`+clockForm+`)?`, "2015-07-21T21:40:32.142")
	dateTimes      = formOf(value.DateTime, dateForm+`(?:T`+clockForm+offsetForm+`?)?`+zoneForm+`?`,
		"2015-07-21T21:40:32.142+01:00")
)

// fields of a text that are there.
type fields map[string]string

func (f form) match(text string) (fields, error) {
	pattern := f.pattern()
	groups := pattern.FindStringSubmatch(text)
	if groups == nil {
		return nil, &ParseError{Kind: f.kind, Text: text, Like: f.like}
	}
	found := fields{}
	for i, name := range pattern.SubexpNames() {
		if i > 0 && groups[i] != "" {
			found[strings.TrimRight(name, "1")] = groups[i]
		}
	}
	return found, nil
}

// wrong says what is wrong with a text that looks right; nil: nothing.
func (f form) wrong(text string, err error) error {
	if err == nil {
		return nil
	}
	return &ParseError{Kind: f.kind, Text: text, Err: err}
}

// number of a field, which has few digits; otherwise if it is not there.
func (f fields) number(name string, otherwise int64) int64 {
	if f[name] == "" {
		return otherwise
	}
	n, _ := strconv.ParseInt(f[name], 10, 64)
	return n
}

// day of a date, of which the year is there.
func (f fields) day() (int64, error) {
	year := f.number("year", 0)
	switch {
	case f["week"] != "":
		return calendar.DayOfWeek(year, f.number("week", 1), f.number("dayOfWeek", 1))
	case f["quarter"] != "":
		return calendar.DayOfQuarter(year, f.number("quarter", 1), f.number("dayOfQuarter", 1))
	case f["ordinalDay"] != "":
		return calendar.DayOfYear(year, f.number("ordinalDay", 1))
	}
	return calendar.DayOf(year, f.number("month", 1), f.number("day", 1))
}

// clock is the time of day, in nanoseconds.
func (f fields) clock() (int64, error) {
	fraction := (f["fraction"] + "000000000")[:9]
	nanos, _ := strconv.ParseInt(fraction, 10, 64)
	return calendar.ClockOf(f.number("hour", 0), f.number("minute", 0), f.number("second", 0), nanos)
}

// ParseDate reads a date: 2015-07-21, 20150721, 2015-W30-2, 2015-Q3-21, 2015-202, 2015-07, 2015.
func ParseDate(text string) (value.Value, error) {
	f, err := dates.match(text)
	if err != nil {
		return value.Value{}, err
	}
	day, err := f.day()
	return orNothing(value.OfDate(day), dates.wrong(text, err))
}

// orNothing is null with an error.
func orNothing(v value.Value, err error) (value.Value, error) {
	if err != nil {
		return value.Value{}, err
	}
	return v, nil
}

// ParseLocalTime reads a time of day: 21:40:32.142, 214032.142, 21:40, 21.
func ParseLocalTime(text string) (value.Value, error) {
	f, err := localTimes.match(text)
	if err != nil {
		return value.Value{}, err
	}
	nanos, err := f.clock()
	return orNothing(value.OfLocalTime(nanos), localTimes.wrong(text, err))
}

// ParseTime reads a time of day with its offset; without one it is at that of otherwise.
func ParseTime(text string, otherwise int32) (value.Value, error) {
	f, err := times.match(text)
	if err != nil {
		return value.Value{}, err
	}
	nanos, err := f.clock()
	if err == nil && f["offset"] != "" {
		otherwise, err = parseOffset(f["offset"])
	}
	return orNothing(value.OfTime(value.ZonedTime{Nanos: nanos, Offset: otherwise}), times.wrong(text, err))
}

// ParseLocalDateTime reads a date, T and a time of day; without the latter it is midnight.
func ParseLocalDateTime(text string) (value.Value, error) {
	f, err := localDateTimes.match(text)
	if err != nil {
		return value.Value{}, err
	}
	day, nanos, err := f.dayAndClock()
	return orNothing(value.OfLocalDateTime(calendar.Moment(day, nanos, time.UTC)), localDateTimes.wrong(text, err))
}

func (f fields) dayAndClock() (day, nanos int64, err error) {
	if day, err = f.day(); err != nil {
		return 0, 0, err
	}
	nanos, err = f.clock()
	return day, nanos, err
}

// ParseDateTime reads a date time with its offset, or [zone], or both; without them it is in the
// zone otherwise.
func ParseDateTime(text string, otherwise *time.Location) (value.Value, error) {
	f, err := dateTimes.match(text)
	if err != nil {
		return value.Value{}, err
	}
	t, err := f.moment(otherwise)
	return orNothing(value.OfDateTime(t), dateTimes.wrong(text, err))
}

func (f fields) moment(zone *time.Location) (t time.Time, err error) {
	day, nanos, err := f.dayAndClock()
	if err == nil && f["zone"] != "" {
		zone, err = calendar.Zone(f["zone"])
	}
	if err != nil {
		return t, err
	}
	if f["offset"] == "" {
		return calendar.Moment(day, nanos, zone), nil
	}
	offset, err := parseOffset(f["offset"])
	t = calendar.Moment(day, nanos, calendar.Offset(int(offset)))
	if err != nil || f["zone"] == "" {
		return t, err
	}
	if calendar.OffsetAt(t.Unix(), zone) != int64(offset) {
		return t, &OffsetError{f["offset"], f["zone"]}
	}
	return t.In(zone), nil
}

// OffsetError is an offset that a zone does not have at that time.
type OffsetError struct{ Offset, Zone string }

func (e *OffsetError) Error() string { return e.Zone + " is not at " + e.Offset + " then" }
