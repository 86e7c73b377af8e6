package function

import (
	"strings"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/calendar"
	"github.com/penstock-db/penstock/formats/value/temporal"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// temporalType is a type of points in time, by openCypher's CIP2015-08-06. A value of it is made of
// some of a date, a time of day and a zone.
type temporalType struct {
	name              string
	kind              value.Kind
	date, clock, zone bool // which it has
	parse             func(text string, zone *time.Location, now time.Time) (value.Value, error)
}

var temporals = []temporalType{
	{"date", value.Date, true, false, false, func(text string, _ *time.Location, _ time.Time) (value.Value, error) {
		return temporal.ParseDate(text)
	}},
	{"localtime", value.LocalTime, false, true, false,
		func(text string, _ *time.Location, _ time.Time) (value.Value, error) {
			return temporal.ParseLocalTime(text)
		}},
	{"time", value.Time, false, true, true, func(text string, zone *time.Location, now time.Time) (value.Value, error) {
		return temporal.ParseTime(text, offsetAt(now, zone))
	}},
	{"localdatetime", value.LocalDateTime, true, true, false,
		func(text string, _ *time.Location, _ time.Time) (value.Value, error) {
			return temporal.ParseLocalDateTime(text)
		}},
	{"datetime", value.DateTime, true, true, true, func(text string, zone *time.Location, _ time.Time) (value.Value,
		error) {
		return temporal.ParseDateTime(text, zone)
	}},
}

func init() {
	for _, t := range temporals {
		Register(
			impure(t.name, 0, takes(text|record|instant), t.construct),
			impure(t.name+".statement", 0, takes(text), t.clocked(func(c *Call) time.Time { return c.Statement })),
			impure(t.name+".transaction", 0, takes(text), t.clocked(func(c *Call) time.Time { return c.Transaction })),
			impure(t.name+".realtime", 0, takes(text), t.clocked(func(c *Call) time.Time { return c.Realtime() })),
			impure(t.name+".truncate", 1, takes(text, instant, record), t.truncate),
		)
	}
}

// construct makes a value of a text, of another point in time, of a map of fields, or of now.
func (t temporalType) construct(call *Call, args []value.Value) (value.Value, error) {
	if len(args) == 0 {
		return t.of(call.Statement.In(call.zone())), nil
	}
	switch v := args[0]; v.Kind() {
	case value.String:
		return refused(t.parse(v.Str(), call.zone(), call.Statement))
	case value.Map:
		return t.build(call, v)
	default:
		return t.project(call, v)
	}
}

// refused makes a fault of what is wrong with an argument.
func refused(v value.Value, err error) (value.Value, error) {
	if err != nil {
		return value.Value{}, &fault.Error{Kind: fault.ArgumentError, Detail: "InvalidArgumentValue", Message: err.Error(),
			Runtime: true, Err: err}
	}
	return v, nil
}

// clocked is what a clock shows, in the zone of the argument.
func (t temporalType) clocked(now func(*Call) time.Time) body {
	return func(call *Call, args []value.Value) (value.Value, error) {
		zone := call.zone()
		if len(args) == 1 {
			var err error
			if zone, err = temporal.ParseZone(args[0].Str()); err != nil {
				return refused(value.Value{}, err)
			}
		}
		return t.of(now(call).In(zone)), nil
	}
}

// zone of points in time for which none is given.
func (c *Call) zone() *time.Location {
	if c.Zone == nil {
		return calendar.Offset(0)
	}
	return c.Zone
}

// of is what a moment shows in its zone.
func (t temporalType) of(moment time.Time) value.Value {
	v := value.OfDateTime(moment)
	day, nanos := temporal.DayPart(v), temporal.ClockPart(v)
	switch t.kind {
	case value.Date:
		return value.OfDate(day)
	case value.LocalTime:
		return value.OfLocalTime(nanos)
	case value.Time:
		return value.OfTime(value.ZonedTime{Nanos: nanos, Offset: offsetAt(moment, moment.Location())})
	case value.LocalDateTime:
		return value.OfLocalDateTime(calendar.Moment(day, nanos, time.UTC))
	}
	return v
}

func offsetAt(moment time.Time, zone *time.Location) int32 {
	_, offset := moment.In(zone).Zone()
	return int32(offset)
}

// project takes what the type has from another point in time. What that lacks is midnight or the
// zone of the statement; but no date can be made up, and no time of day of a date for types that
// have no date.
func (t temporalType) project(call *Call, v value.Value) (value.Value, error) {
	if t.date && !dated.Has(v.Kind()) || !t.date && v.Kind() == value.Date {
		return value.Value{}, fault.Met(fault.TypeError, "InvalidArgumentValue", "%s() can't be made of the %s %s", t.name,
			v.Kind(), short(v))
	}
	return t.of(momentOf(call, v)), nil
}

// dated are the kinds that have a date.
var dated = KindsOf(value.Date, value.LocalDateTime, value.DateTime)

// momentOf shows what a value does; a time of day is on the first day of 1970.
func momentOf(call *Call, v value.Value) time.Time {
	zone, day := temporal.ZoneOf(v), int64(0)
	if zone == nil {
		zone = call.zone()
	}
	switch {
	case v.Kind() == value.DateTime:
		return v.DateTime()
	case dated.Has(v.Kind()):
		day = temporal.DayPart(v)
	}
	return calendar.Moment(day, temporal.ClockPart(v), zone)
}

// truncate sets a point in time back to when a unit began, and then sets the fields of a map.
func (t temporalType) truncate(call *Call, args []value.Value) (value.Value, error) {
	unit, v := strings.ToLower(args[0].Str()), value.OfDateTime(call.Statement.In(call.zone()))
	if len(args) > 1 {
		v = args[1]
	}
	if t.date && !dated.Has(v.Kind()) || !t.date && v.Kind() == value.Date {
		return value.Value{}, fault.Met(fault.TypeError, "InvalidArgumentValue", "%s.truncate() can't be given the %s %s",
			t.name, v.Kind(), short(v))
	}
	day, nanos, err := t.floor(unit, v)
	if err != nil {
		return refused(value.Value{}, err)
	}
	d := draft{day: day, nanos: nanos, zone: temporal.ZoneOf(v), at: momentOf(call, v), kept: nanos % 1e9, dated: true,
		timed: true}
	if len(args) < 3 {
		return t.finish(call, d, fields{})
	}
	f, err := t.read(args[2])
	if err != nil {
		return value.Value{}, err
	}
	if err := d.set(t, f); err != nil {
		return refused(value.Value{}, err)
	}
	d.attach = true
	return t.finish(call, d, f)
}

// floor goes by units of the calendar, then by those of the day.
func (t temporalType) floor(unit string, v value.Value) (day, nanos int64, err error) {
	if t.date {
		day, err = calendar.TruncateDay(temporal.DayPart(v), unit)
		if err == nil || !t.clock || v.Kind() == value.Date {
			return day, 0, err
		}
		day = temporal.DayPart(v)
	}
	nanos, err = calendar.TruncateClock(temporal.ClockPart(v), unit)
	return day, nanos, err
}
