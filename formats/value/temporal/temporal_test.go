package temporal

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/calendar"
)

// What is written by ISO 8601 is read again as the same.
func TestParseReadsISO(t *testing.T) {
	r := newDraws(t)
	for range 20_000 {
		v := r.value()
		var got value.Value
		var err error
		switch v.Kind() {
		case value.Date:
			got, err = ParseDate(v.ISO())
		case value.LocalTime:
			got, err = ParseLocalTime(v.ISO())
		case value.Time:
			got, err = ParseTime(v.ISO(), 60)
		case value.LocalDateTime:
			got, err = ParseLocalDateTime(v.ISO())
		case value.DateTime:
			got, err = ParseDateTime(v.ISO(), calendar.Offset(60))
		case value.Duration:
			got, err = ParseDuration(v.ISO())
		}
		if err != nil || !value.Equivalent(got, v) {
			t.Fatalf("%s is read as %s, %v", v.ISO(), got.Text(), err)
		}
	}
}

func TestParse(t *testing.T) {
	date, localTime, localDateTime := ParseDate, ParseLocalTime, ParseLocalDateTime
	clock := func(text string) (value.Value, error) { return ParseTime(text, 0) }
	dateTime := func(text string) (value.Value, error) { return ParseDateTime(text, calendar.Offset(0)) }
	for _, test := range []struct {
		parse      func(string) (value.Value, error)
		text, want string // empty: it is refused
	}{
		{date, "20150721", "2015-07-21"}, {date, "2015-07", "2015-07-01"}, {date, "201507", "2015-07-01"},
		{date, "2015-W30-2", "2015-07-21"}, {date, "2015W302", "2015-07-21"},
		{date, "2015W30", "2015-07-20"}, {date, "2015-202", "2015-07-21"}, {date, "2015202", "2015-07-21"},
		{date, "2015", "2015-01-01"}, {date, "2015-Q3-45", "2015-08-14"}, {date, "2015Q3", "2015-07-01"},
		{date, "+12015-07-21", "+12015-07-21"}, {date, "-0044-03-15", "-0044-03-15"},
		{date, "+999999999-12-31", "+999999999-12-31"}, {date, "2015-7-1", "2015-07-01"},
		{date, "2015-02-29", ""}, {date, "2015-13-01", ""}, {date, "2015-W54", ""}, {date, "2015-366", ""},
		{date, "15-07-21", ""}, {date, "", ""}, {date, "2015-07-21T00:00", ""}, {date, "2015-Q5", ""},
		{date, "20150721x", ""},
		{localTime, "214032.142", "21:40:32.142"}, {localTime, "21:40", "21:40"}, {localTime, "2140", "21:40"},
		{localTime, "21", "21:00"}, {localTime, "21:40:32,5", "21:40:32.5"}, {localTime, "24:00", ""},
		{localTime, "21:60", ""}, {localTime, "9", ""},
		{clock, "21:40:32.142+0100", "21:40:32.142+01:00"}, {clock, "214032.142Z", "21:40:32.142Z"},
		{clock, "2140-00:00", "21:40Z"}, {clock, "2140-02", "21:40-02:00"}, {clock, "22+18:00", "22:00+18:00"},
		{clock, "22+18:01", ""}, {clock, "12:34:56+02:05:59", "12:34:56+02:05:59"}, {clock, "12+01:60", ""},
		{localDateTime, "2015T214032", "2015-01-01T21:40:32"}, {localDateTime, "2015202t21", "2015-07-21T21:00"},
		{localDateTime, "2015-07-21", "2015-07-21T00:00"}, {localDateTime, "2015-07-21T21:40Z", ""},
		{dateTime, "2015-W30T2140-02", "2015-07-20T21:40-02:00"}, {dateTime, "2015-07-21T21:40", "2015-07-21T21:40Z"},
		{dateTime, "2015-07-21T21:40:32.142[Europe/London]", "2015-07-21T21:40:32.142+01:00[Europe/London]"},
		{dateTime, "1818-07-21T21:40[Europe/Stockholm]", "1818-07-21T21:40+00:53:28[Europe/Stockholm]"},
		{dateTime, "2015-07-21T21:40+05:00[Europe/London]", ""}, {dateTime, "2015-07-21T21:40[Europe/Atlantis]", ""},
		{dateTime, "2017-10-29T02:30+01:00[Europe/Stockholm]", "2017-10-29T02:30+01:00[Europe/Stockholm]"},
		{dateTime, "2017-10-29T02:30[Europe/Stockholm]", "2017-10-29T02:30+02:00[Europe/Stockholm]"},
		{dateTime, "2017-03-26T02:30[Europe/Stockholm]", "2017-03-26T03:30+02:00[Europe/Stockholm]"},
		{ParseDuration, "P5M1.5D", "P5M1DT12H"}, {ParseDuration, "P0.75M", "P22DT19H51M49.5S"},
		{ParseDuration, "PT0.75M", "PT45S"}, {ParseDuration, "P2.5W", "P17DT12H"},
		{ParseDuration, "P12Y5M14DT16H12M70S", "P12Y5M14DT16H13M10S"},
		{ParseDuration, "P2012-02-02T14:37:21.545", "P2012Y2M2DT14H37M21.545S"},
		{ParseDuration, "P20120202T143721.545", "P2012Y2M2DT14H37M21.545S"}, {ParseDuration, "-P1DT1S", "P-1DT-1S"},
		{ParseDuration, "PT-0.7H", "PT-42M"}, {ParseDuration, "PT0,1S", "PT0.1S"},
		{ParseDuration, "P", ""}, {ParseDuration, "PT", ""}, {ParseDuration, "P1DT", ""}, {ParseDuration, "1D", ""},
		{ParseDuration, "P1S", ""}, {ParseDuration, "P99999999999999999999Y", ""},
	} {
		got, err := test.parse(test.text)
		switch {
		case test.want == "" && err == nil:
			t.Errorf("%q is read as %s", test.text, got.Text())
		case test.want == "":
			if known := new(ParseError); !errors.As(err, &known) || !got.IsNull() {
				t.Errorf("%q: %v", test.text, err)
			}
		case err != nil || got.ISO() != test.want:
			t.Errorf("%q is read as %s, want %s; %v", test.text, got.Text(), test.want, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"2015-W30-2T214032.142Z", "2015202T21+18:00", "21:40:32,142+0100",
		"P2012-02-02T14:37:21.545", "-P0.75Y1.5M-2WT-0.1H", "1818-07-21T21:40:32.142[Europe/Stockholm]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for kind, parse := range map[value.Kind]func(string) (value.Value, error){
			value.Date: ParseDate, value.LocalTime: ParseLocalTime, value.LocalDateTime: ParseLocalDateTime,
			value.Duration: ParseDuration,
			value.Time:     func(text string) (value.Value, error) { return ParseTime(text, 0) },
			value.DateTime: func(text string) (value.Value, error) { return ParseDateTime(text, calendar.Offset(0)) },
		} {
			v, err := parse(text)
			if err != nil {
				continue
			}
			again, err := parse(v.ISO())
			if v.Kind() != kind || err != nil || !value.Equivalent(v, again) {
				t.Fatalf("%q is a %s %s, read again as %s, %v", text, v.Kind(), v.ISO(), again.Text(), err)
			}
		}
	})
}

// Parts of dates are those that package time counts.
func TestPartsOfDates(t *testing.T) {
	r := newDraws(t)
	for range 20_000 {
		day := r.Int64N(2_000_000) - 1_000_000
		d := calendar.Midnight(day)
		year, week := d.ISOWeek()
		for name, want := range map[string]int{
			"year": d.Year(), "month": int(d.Month()), "day": d.Day(), "ordinalDay": d.YearDay(), "weekYear": year, "week": week,
			"dayOfWeek": (int(d.Weekday())+6)%7 + 1, "quarter": (int(d.Month())-1)/3 + 1,
		} {
			if got, err := Part(value.OfDate(day), name); err != nil || got.Int() != int64(want) {
				t.Fatalf("%s of %s is %s, want %d; %v", name, value.OfDate(day).ISO(), got.Text(), want, err)
			}
		}
		part := func(name string) int64 {
			v, err := Part(value.OfDate(day), name)
			if err != nil {
				t.Fatal(err)
			}
			return v.Int()
		}
		for _, back := range []func() (int64, error){
			func() (int64, error) { return calendar.DayOf(part("year"), part("month"), part("day")) },
			func() (int64, error) { return calendar.DayOfWeek(part("weekYear"), part("week"), part("weekDay")) },
			func() (int64, error) { return calendar.DayOfYear(part("year"), part("ordinalDay")) },
			func() (int64, error) {
				return calendar.DayOfQuarter(part("year"), part("quarter"), part("dayOfQuarter"))
			},
		} {
			if got, err := back(); err != nil || got != day {
				t.Fatalf("%s became %s, %v", value.OfDate(day).ISO(), value.OfDate(got).ISO(), err)
			}
		}
	}
}

func read(t *testing.T, parse func(string) (value.Value, error), text string) value.Value {
	t.Helper()
	v, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The tables are openCypher's (Temporal5).
func TestParts(t *testing.T) {
	zoned := read(t, func(text string) (value.Value, error) { return ParseDateTime(text, calendar.Offset(0)) },
		"1984-11-11T12:31:14.645876123+01:00[Europe/Stockholm]")
	duration := value.OfDuration(value.Span{Months: 16, Days: 10, Seconds: 3661, Nanos: 111111111})
	for _, test := range []struct {
		v     value.Value
		parts map[string]any
	}{
		{zoned, map[string]any{
			"year": 1984, "quarter": 4, "month": 11, "week": 45, "weekYear": 1984, "day": 11, "ordinalDay": 316, "weekDay": 7,
			"dayOfQuarter": 42, "hour": 12, "minute": 31, "second": 14,
			"millisecond": 645, "microsecond": 645876, "nanosecond": 645876123, "timezone": "Europe/Stockholm",
			"offset": "+01:00", "offsetMinutes": 60, "offsetSeconds": 3600, "epochSeconds": 469020674,
			"epochMillis": 469020674645,
		}},
		{value.OfTime(value.ZonedTime{Nanos: 45074645876123, Offset: 3600}), map[string]any{
			"hour": 12, "nanosecond": 645876123, "timezone": "+01:00",
			"offset": "+01:00", "offsetMinutes": 60, "OFFSETSECONDS": 3600}},
		{duration, map[string]any{
			"years": 1, "quarters": 5, "months": 16, "weeks": 1, "days": 10, "hours": 1, "minutes": 61, "seconds": 3661,
			"milliseconds": 3661111, "microseconds": 3661111111, "nanoseconds": 3661111111111,
			"quartersOfYear": 1, "monthsOfQuarter": 1, "monthsOfYear": 4, "daysOfWeek": 3, "minutesOfHour": 1,
			"secondsOfMinute": 1, "millisecondsOfSecond": 111, "microsecondsOfSecond": 111111, "nanosecondsOfSecond": 111111111,
		}},
	} {
		for name, want := range test.parts {
			got, err := Part(test.v, name)
			if text, ok := want.(string); ok {
				if err != nil || got.Str() != text {
					t.Errorf("%s of %s is %s, want %s; %v", name, test.v.ISO(), got.Text(), text, err)
				}
			} else if err != nil || got.Int() != int64(want.(int)) {
				t.Errorf("%s of %s is %s, want %d; %v", name, test.v.ISO(), got.Text(), want, err)
			}
		}
	}
	if _, err := Part(zoned, "months"); !errors.As(err, new(*PartError)) {
		t.Error(err)
	}
	long, back := value.OfDuration(value.Span{Seconds: math.MaxInt64}),
		value.OfDuration(value.Span{Seconds: -2, Nanos: 1e6})
	if _, err := Part(long, "nanoseconds"); !errors.As(err, new(*calendar.RangeError)) {
		t.Error(err)
	}
	if got, err := Part(back, "milliseconds"); err != nil || got.Int() != -1999 {
		t.Error(got.Text(), err)
	}
}

// The duration between two points in time leads from one to the other.
func TestShiftByBetween(t *testing.T) {
	r := newDraws(t)
	for range 20_000 {
		zone := r.zone()
		a := time.Unix(r.Int64N(4e9)-2e9, r.Int64N(1e9)).In(zone)
		b := time.Unix(r.Int64N(4e9)-2e9, r.Int64N(1e9)).In(zone)
		for _, pair := range [][2]value.Value{
			{value.OfDateTime(a), value.OfDateTime(b)},
			{value.OfDate(DayPart(value.OfDateTime(a))), value.OfDate(DayPart(value.OfDateTime(b)))},
			{value.OfLocalDateTime(a.UTC()), value.OfLocalDateTime(b.UTC())},
		} {
			got, err := Shift(pair[0], Between(pair[0], pair[1]))
			if err != nil || !value.Equivalent(got, pair[1]) {
				t.Fatalf("%s + %s = %s, want %s; %v", pair[0].ISO(), value.OfDuration(Between(pair[0], pair[1])).ISO(), got.Text(),
					pair[1].ISO(), err)
			}
			exact, err := Shift(pair[0], InSeconds(pair[0], pair[1]))
			if pair[0].Kind() != value.Date && (err != nil || !value.Equivalent(exact, pair[1])) {
				t.Fatalf("%s and seconds: %s, want %s; %v", pair[0].ISO(), exact.Text(), pair[1].ISO(), err)
			}
		}
	}
}

// 1992-03-29T02:48 is skipped in Stockholm: the months end at 03:48, and the days go on from there.
func TestShiftOverASkippedHour(t *testing.T) {
	zone, err := calendar.Zone("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	from, to := time.Date(1984, 7, 29, 2, 48, 0, 0, zone), time.Date(1992, 4, 20, 13, 55, 0, 0, zone)
	by := Between(value.OfDateTime(from), value.OfDateTime(to))
	if want := (value.Span{Months: 92, Days: 22, Seconds: 10*3600 + 7*60}); by != want {
		t.Errorf("between: %v, want %v", by, want)
	}
	if got, err := Shift(value.OfDateTime(from), by); err != nil || !value.Equivalent(got, value.OfDateTime(to)) {
		t.Errorf("%s, %v, want %s", got.ISO(), err, to)
	}
}

func TestShiftRefuses(t *testing.T) {
	for _, by := range []value.Span{{Months: math.MaxInt64}, {Days: math.MinInt64}, {Seconds: math.MaxInt64},
		{Months: 12e9}, {Days: calendar.MaxDay}} {
		if got, err := Shift(value.OfDate(1), by); err == nil && by.Seconds == 0 {
			t.Errorf("1970-01-02 + %s = %s", value.OfDuration(by).ISO(), got.ISO())
		}
		if got, err := Shift(value.OfDateTime(time.Unix(1e5, 0).UTC()), by); !errors.As(err, new(*calendar.RangeError)) &&
			!errors.As(err, new(*calendar.FieldError)) {
			t.Errorf("1970-01-02T00:00 + %s = %s, %v", value.OfDuration(by).ISO(), got.ISO(), err)
		}
	}
}
