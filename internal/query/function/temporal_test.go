package function

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/testseed"
)

type m = map[string]any

// construct calls a function that must succeed.
func construct(t *testing.T, name string, args ...any) value.Value {
	t.Helper()
	f, ok := Lookup(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	v, err := f.Call(call, all(args))
	if err != nil {
		t.Fatalf("%s%s: %v", name, of(args).Text(), err)
	}
	return v
}

// The tables are after openCypher's Temporal1 and the CIP.
func TestConstruct(t *testing.T) {
	date, clock := construct(t, "date", "1984-11-11"), construct(t, "time", "12:31:14.645876+01:00")
	stockholm := construct(t, "datetime", "1984-10-11T12:00[Europe/Stockholm]")
	for _, test := range []struct {
		name string
		arg  any
		want string
	}{
		{"date", m{"year": 1984, "month": 10, "day": 11}, "1984-10-11"}, {"date", m{"year": 1984, "month": 10}, "1984-10-01"},
		{"date", m{"year": 1984, "week": 10, "dayOfWeek": 3}, "1984-03-07"},
		{"date", m{"year": 1984, "week": 10}, "1984-03-05"}, {"date", m{"year": 1984, "ordinalDay": 202}, "1984-07-20"},
		{"date", m{"year": 1984, "quarter": 3, "dayOfQuarter": 45}, "1984-08-14"},
		{"date", m{"year": 1984, "quarter": 3}, "1984-07-01"}, {"date", m{"YEAR": 1984}, "1984-01-01"},
		{"date", m{"year": 1816, "week": 1}, "1816-01-01"}, {"date", m{"year": 1817, "week": 1}, "1816-12-30"},
		{"date", m{"date": construct(t, "date", "1816-12-30"), "week": 2, "dayOfWeek": 3}, "1817-01-08"},
		{"date", m{"date": construct(t, "date", "1816-12-31"), "week": 2}, "1817-01-07"},
		{"date", m{"date": construct(t, "date", "1816-12-31"), "year": 1817, "week": 2}, "1817-01-07"},
		{"date", m{"date": date, "quarter": 3}, "1984-08-11"}, {"date", m{"date": date, "year": 28}, "0028-11-11"},
		{"date", stockholm, "1984-10-11"},
		{"localtime", m{"hour": 12, "minute": 31, "second": 14, "millisecond": 123, "microsecond": 456, "nanosecond": 789},
			"12:31:14.123456789"}, {"localtime", m{"hour": 12, "minute": 31, "second": 14, "microsecond": 645876},
			"12:31:14.645876"},
		{"localtime", m{"hour": 12}, "12:00"}, {"localtime", m{"time": clock, "second": 42}, "12:31:42.645876"},
		{"localtime", clock, "12:31:14.645876"},
		{"time", m{"hour": 12, "minute": 34, "second": 56, "timezone": "+02:05:59"}, "12:34:56+02:05:59"},
		{"time", m{"hour": 12}, "12:00Z"}, {"time", m{"time": clock, "timezone": "+05:00"}, "16:31:14.645876+05:00"},
		{"time", stockholm, "12:00+01:00"},
		{"time", m{"time": stockholm, "second": 42, "timezone": "-12:00"}, "23:00:42-12:00"},
		{"localdatetime", m{"year": 1984, "quarter": 3, "dayOfQuarter": 45, "hour": 12, "minute": 31, "second": 14,
			"nanosecond": 645876123}, "1984-08-14T12:31:14.645876123"}, {"localdatetime", m{"year": 1984}, "1984-01-01T00:00"},
		{"localdatetime", m{"date": date, "time": clock, "day": 28, "second": 42}, "1984-11-28T12:31:42.645876"},
		{"localdatetime", date, "1984-11-11T00:00"},
		{"datetime", m{"year": 1984, "month": 10, "day": 11, "hour": 12, "timezone": "Europe/Stockholm"},
			"1984-10-11T12:00+01:00[Europe/Stockholm]"}, {"datetime",
			m{"year": 1984, "ordinalDay": 202, "hour": 12, "timezone": "-02"}, "1984-07-20T12:00-02:00"},
		{"datetime", m{"datetime": stockholm, "day": 28, "second": 42, "timezone": "Pacific/Honolulu"},
			"1984-10-28T01:00:42-10:00[Pacific/Honolulu]"},
		{"datetime", m{"date": date, "time": stockholm}, "1984-11-11T12:00+01:00[Europe/Stockholm]"},
		{"datetime", m{"date": stockholm, "hour": 10}, "1984-10-11T10:00Z"},
		{"datetime", m{"epochSeconds": 416779, "nanosecond": 5}, "1970-01-05T19:46:19.000000005Z"},
		{"datetime", m{"epochMillis": 237821673987, "timezone": "+01:00"}, "1977-07-15T14:34:33.987+01:00"},
		{"datetime", date, "1984-11-11T00:00Z"}, {"datetime", "2015-07-21T21:40", "2015-07-21T21:40Z"},
		{"datetime", m{"timezone": "+01:00"}, "1970-01-01T01:00:02+01:00"},
		{"date.transaction", "Europe/Stockholm", "1970-01-01"},
		{"duration", m{"days": 14, "hours": 16, "minutes": 12}, "P14DT16H12M"},
		{"duration", m{"months": 5, "days": 1.5}, "P5M1DT12H"}, {"duration", m{"months": 0.75}, "P22DT19H51M49.5S"},
		{"duration", m{"weeks": 2.5}, "P17DT12H"},
		{"duration", m{"years": 12, "months": 5, "days": -14, "hours": 16}, "P12Y5M-14DT16H"},
		{"duration", m{"seconds": -2, "milliseconds": 1}, "PT-1.999S"},
		{"duration", m{"quarters": 1, "microseconds": 1500, "hours": 0.7}, "P3MT42M0.0015S"}, {"duration", "P1D", "P1D"},
	} {
		if got := construct(t, test.name, test.arg); got.ISO() != test.want {
			t.Errorf("%s(%s) = %s, want %s", test.name, of(test.arg).Text(), got.Text(), test.want)
		}
	}
	if got := construct(t, "datetime.fromepoch", 416779, 999999999); got.ISO() != "1970-01-05T19:46:19.999999999Z" {
		t.Error(got.Text())
	}
	if got := construct(t, "datetime.fromepochmillis", 237821673987); got.ISO() != "1977-07-15T13:34:33.987Z" {
		t.Error(got.Text())
	}
}

func TestConstructRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		arg  any
	}{
		{"date", m{}}, {"date", m{"month": 1}}, {"date", m{"year": 1984, "day": 1}}, {"date", m{"year": 1984, "month": 13}},
		{"date", m{"year": 1984, "month": 2, "week": 3}}, {"date", m{"year": 1984, "hour": 1}}, {"date", m{"year": "1984"}},
		{"date", m{"year": 1_000_000_000}}, {"date", m{"year": 1984, "dayOfWeek": 3}}, {"date", m{"year": nil}},
		{"date", "1984-02-30"}, {"date", construct(t, "localtime", "12")}, {"localtime", construct(t, "date", "2015")},
		{"localtime", m{"minute": 1}}, {"localtime", m{"hour": 24}}, {"localtime", m{"hour": 12, "timezone": "x"}},
		{"localtime", m{"hour": 1, "minute": 1, "second": 1, "millisecond": 1, "microsecond": 1000}},
		{"time", m{"hour": 12, "timezone": "Europe/Atlantis"}}, {"datetime", m{"epochSeconds": 1 << 62}},
		{"duration", m{"years": "1"}}, {"duration", m{"fortnights": 1}}, {"duration", m{"days": 1e300}}, {"duration", "1D"},
		{"point", m{"x": 1}}, {"point", m{"longitude": 181, "latitude": 1}}, {"point", m{"x": 1, "y": 1, "crs": "wgs-84-3d"}},
		{"point", m{"x": "1", "y": 1}}, {"point", m{"x": 1, "y": 1, "srid": 1}},
	} {
		f, _ := Lookup(test.name)
		got, err := f.Call(call, all(l{test.arg}))
		if met := new(fault.Error); !errors.As(err, &met) || met.Message == "" || met.Kind == "" {
			t.Errorf("%s(%s) = %s, %v", test.name, of(test.arg).Text(), got.Text(), err)
		}
	}
}

func TestTruncateSetsFields(t *testing.T) {
	west := construct(t, "datetime", "1984-10-11T12:31:14.645876123-01:00")
	for _, test := range []struct {
		name, unit string
		of         value.Value
		fields     m
		want       string
	}{
		{"date", "weekYear", construct(t, "date", "1984-01-01"), m{"day": 5}, "1983-01-05"},
		{"date", "week", west, m{"dayOfWeek": 2}, "1984-10-09"},
		{"datetime", "hour", west, m{"timezone": "Europe/Stockholm"}, "1984-10-11T12:00+01:00[Europe/Stockholm]"},
		{"datetime", "millisecond", west, m{"nanosecond": 2}, "1984-10-11T12:31:14.645000002-01:00"},
		{"time", "hour", west, m{"timezone": "+01:00"}, "12:00+01:00"},
		{"localtime", "day", west, m{"nanosecond": 2}, "00:00:00.000000002"},
		{"localdatetime", "day", construct(t, "date", "1984-10-11"), m{"hour": 3}, "1984-10-11T03:00"},
		{"datetime", "DECADE", west, m{}, "1980-01-01T00:00-01:00"},
	} {
		if got := construct(t, test.name+".truncate", test.unit, test.of, test.fields); got.ISO() != test.want {
			t.Errorf("%s.truncate('%s', %s, %s) = %s, want %s", test.name, test.unit, test.of.Text(), of(test.fields).Text(),
				got.Text(), test.want)
		}
	}
	if got := construct(t, "date.truncate", "year"); got.ISO() != "1970-01-01" {
		t.Error(got.Text())
	}
}

// Constructors read what toString writes, and take over values of their own kind.
func TestConstructIsInverse(t *testing.T) {
	now := time.Date(2017, 10, 29, 2, 30, 0, 5, time.UTC)
	for _, kind := range temporals {
		v := kind.of(now)
		for _, from := range []any{v, construct(t, "toString", v)} {
			if got := construct(t, kind.name, from); !value.Equivalent(got, v) {
				t.Errorf("%s(%s) = %s", kind.name, of(from).Text(), got.Text())
			}
		}
	}
}

func TestPoints(t *testing.T) {
	for _, test := range []struct {
		arg  m
		want string
	}{
		{m{"x": 1, "y": 2.5}, "point({x: 1.0, y: 2.5, crs: 'cartesian'})"},
		{m{"x": 1, "y": 2, "z": 3}, "point({x: 1.0, y: 2.0, z: 3.0, crs: 'cartesian-3d'})"},
		{m{"longitude": 12, "latitude": 56}, "point({x: 12.0, y: 56.0, crs: 'wgs-84'})"},
		{m{"longitude": 12, "latitude": 56, "height": 7}, "point({x: 12.0, y: 56.0, z: 7.0, crs: 'wgs-84-3d'})"},
		{m{"x": 12, "y": 56, "crs": "WGS-84"}, "point({x: 12.0, y: 56.0, crs: 'wgs-84'})"},
		{m{"x": 12, "y": 56, "srid": 4326}, "point({x: 12.0, y: 56.0, crs: 'wgs-84'})"}, {m{"x": nil, "y": 1}, "null"},
	} {
		if got := construct(t, "point", test.arg); got.Text() != test.want {
			t.Errorf("point(%s) = %s, want %s", of(test.arg).Text(), got.Text(), test.want)
		}
	}
	place := construct(t, "point", m{"longitude": 12, "latitude": 56})
	parts := m{"x": 12.0, "longitude": 12.0, "latitude": 56.0, "crs": "wgs-84", "srid": 4326}
	for key, want := range parts {
		if got, err := Property(place, key); err != nil || !value.Equivalent(got, of(want)) {
			t.Errorf("%s is %s, %v", key, got.Text(), err)
		}
	}
	if got := construct(t, "distance", place, construct(t, "point", m{"x": 0, "y": 0})); !got.IsNull() {
		t.Error(got.Text())
	}
}

// Whatever fields a map has, a constructor makes a value that can be written and read again, or
// says what is wrong.
func TestConstructOfAnyFields(t *testing.T) {
	r := testseed.Rand(t)
	numbers := []int64{0, 1, 2, 3, 4, 12, 52, 60, 366, 999, -1, 1984, 999_999_999, -999_999_999, math.MaxInt64,
		math.MinInt64}
	others := []value.Value{construct(t, "date", "1984-11-11"), construct(t, "datetime", "+999999999-12-31T23:59-18:00"),
		construct(t, "datetime", "+999999999-12-31T23:59Z"), construct(t, "time", "12:31:14.6+18:00"),
		construct(t, "localdatetime", "-999999999-01-01")}
	zones := []string{"Z", "+18:00", "-18:00", "Pacific/Honolulu", "Europe/Stockholm"}
	made := 0
	for range 20_000 {
		kind := temporals[r.IntN(len(temporals))]
		fields := map[string]value.Value{}
		for _, name := range slices.Concat(calendarFields, clockFields, epochFields, []string{"timezone"}) {
			switch {
			case !kind.knows(name) || r.IntN(4) > 0:
			case name == "timezone":
				fields[name] = value.OfString(zones[r.IntN(len(zones))])
			case slices.Contains(selectFields, name):
				fields[name] = others[r.IntN(len(others))]
			default:
				fields[name] = value.OfInt(numbers[r.IntN(len(numbers))])
			}
		}
		f, _ := Lookup(kind.name)
		v, err := f.Call(call, []value.Value{value.OfMap(fields)})
		if err != nil {
			if met := new(fault.Error); !errors.As(err, &met) {
				t.Fatalf("%s(%s): %v", kind.name, value.OfMap(fields).Text(), err)
			}
			continue
		}
		made++
		if got := construct(t, kind.name, v.ISO()); v.Kind() != kind.kind || !value.Equivalent(got, v) {
			t.Fatalf("%s(%s) = %s, read as %s", kind.name, value.OfMap(fields).Text(), v.Text(), got.Text())
		}
	}
	if made < 500 {
		t.Errorf("only %d values were made", made)
	}
}
