package function

import (
	"fmt"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/calendar"
	"github.com/penstock-db/penstock/formats/value/temporal"
)

// draft is a point in time that is being made.
type draft struct {
	day, nanos   int64
	dated, timed bool           // day and nanos are those of another point in time
	zone         *time.Location // nil: not known
	at           time.Time      // when zone's offset is that of a time of day
	kept         int64          // nanoseconds that fields of less than a second are added to
	attach       bool           // timezone says where it is, and does not move it there
}

// build makes a value of a map: of other points in time that it names, with the fields that it
// sets. With nothing but a zone it is now.
func (t temporalType) build(call *Call, m value.Value) (value.Value, error) {
	f, err := t.read(m)
	if err != nil {
		return value.Value{}, err
	}
	d := draft{at: call.Statement}
	switch {
	case len(f) == 1 && f.has("timezone"):
		d.day, d.nanos, d.zone = nowIn(calendar.Offset(0), call.Statement)
	case f.has(epochFields...):
		d.day, d.nanos, d.zone, err = epoch(f)
	default:
		d.from(f)
		err = d.set(t, f)
	}
	if err != nil {
		return refused(value.Value{}, err)
	}
	return t.finish(call, d, f)
}

func nowIn(zone *time.Location, now time.Time) (day, nanos int64, at *time.Location) {
	v := value.OfDateTime(now.In(zone))
	return temporal.DayPart(v), temporal.ClockPart(v), zone
}

// from takes over what other points in time have.
func (d *draft) from(f fields) {
	if v := f.either("date", "datetime"); !v.IsNull() {
		d.day, d.dated = temporal.DayPart(v), true
	}
	if v := f.either("time", "datetime"); !v.IsNull() {
		d.nanos, d.timed, d.zone = temporal.ClockPart(v), true, temporal.ZoneOf(v)
		if v.Kind() == value.DateTime {
			d.at = v.DateTime()
		}
	}
}

// set the fields that the type has.
func (d *draft) set(t temporalType, f fields) (err error) {
	if t.date {
		if d.day, err = d.setDay(f); err != nil {
			return err
		}
	}
	if t.clock {
		d.nanos, err = d.setClock(f)
	}
	return err
}

// ways of saying which day of a year it is. They can't be mixed.
var ways = []struct {
	fields []string
	day    func(d *draft, f fields) (int64, error)
}{
	{[]string{"week", "dayofweek"}, (*draft).dayOfWeek},
	{[]string{"ordinalday"}, (*draft).dayOfYear},
	{[]string{"quarter", "dayofquarter"}, (*draft).dayOfQuarter},
	{[]string{"month", "day"}, (*draft).dayOfMonth},
}

func (d *draft) setDay(f fields) (int64, error) {
	if !d.dated && !f.has("year") {
		return 0, missing("year")
	}
	way, found := (*draft).dayOfMonth, ""
	for _, w := range ways {
		if !f.has(w.fields...) {
			continue
		}
		if found != "" {
			return 0, fmt.Errorf("a date is not given by %s and %s at once", found, w.fields[0])
		}
		way, found = w.day, w.fields[0]
	}
	return way(d, f)
}

func missing(field string) error { return fmt.Errorf("the field %s is missing", field) }

// part of the day that the draft has; otherwise if it has none.
func (d *draft) part(name string, otherwise int64) int64 {
	if !d.dated {
		return otherwise
	}
	v, err := temporal.Part(value.OfDate(d.day), name)
	if err != nil {
		return otherwise
	}
	return v.Int()
}

func (d *draft) dayOfWeek(f fields) (int64, error) {
	if !d.dated && !f.has("week") {
		return 0, missing("week")
	}
	return calendar.DayOfWeek(f.number("year", d.part("weekYear", 0)), f.number("week", d.part("week", 1)),
		f.number("dayofweek", d.part("dayOfWeek", 1)))
}

func (d *draft) dayOfYear(f fields) (int64, error) {
	return calendar.DayOfYear(f.number("year", d.part("year", 0)), f.number("ordinalday", 1))
}

func (d *draft) dayOfQuarter(f fields) (int64, error) {
	if !d.dated && !f.has("quarter") {
		return 0, missing("quarter")
	}
	return calendar.DayOfQuarter(f.number("year", d.part("year", 0)), f.number("quarter", d.part("quarter", 1)),
		f.number("dayofquarter", d.part("dayOfQuarter", 1)))
}

func (d *draft) dayOfMonth(f fields) (int64, error) {
	if !d.dated && f.has("day") && !f.has("month") {
		return 0, missing("month")
	}
	return calendar.DayOf(f.number("year", d.part("year", 0)), f.number("month", d.part("month", 1)),
		f.number("day", d.part("day", 1)))
}

func (d *draft) setClock(f fields) (int64, error) {
	if !d.timed {
		if err := unbroken(f); err != nil {
			return 0, err
		}
	}
	fraction := d.nanos % 1e9
	if f.has("millisecond", "microsecond", "nanosecond") {
		var err error
		if fraction, err = f.fraction(d.kept); err != nil {
			return 0, err
		}
	}
	return calendar.ClockOf(f.number("hour", d.nanos/3600e9), f.number("minute", d.nanos/60e9%60),
		f.number("second", d.nanos/1e9%60), fraction)
}

// unbroken refuses minutes without hours, and so on.
func unbroken(f fields) error {
	sub := f.has("millisecond", "microsecond", "nanosecond")
	switch {
	case f.has("minute") && !f.has("hour"):
		return missing("hour")
	case f.has("second") && !f.has("minute"):
		return missing("minute")
	case sub && !f.has("second"):
		return missing("second")
	}
	return nil
}

// fraction of a second in nanoseconds. Beside a larger unit a smaller one has three digits less.
func (f fields) fraction(kept int64) (int64, error) {
	last, sum := int64(1e9), kept
	for _, unit := range []struct {
		name  string
		nanos int64
	}{{"millisecond", 1e6}, {"microsecond", 1e3}, {"nanosecond", 1}} {
		n, there := f.number(unit.name, 0), f.has(unit.name)
		if there && (n < 0 || n >= last/unit.nanos) {
			return 0, &calendar.FieldError{Field: unit.name, Value: n, From: 0, Last: last/unit.nanos - 1}
		}
		if sum += n * unit.nanos; there {
			last = unit.nanos
		}
	}
	if sum >= 1e9 {
		return 0, &calendar.FieldError{Field: "nanosecond", Value: sum, From: 0, Last: 1e9 - 1}
	}
	return sum, nil
}

// finish makes the value of a draft. If it comes from another zone than the fields say, it is the
// same moment there.
func (t temporalType) finish(call *Call, d draft, f fields) (value.Value, error) {
	zone := d.zone
	if name, ok := f["timezone"]; ok {
		var err error
		if zone, err = temporal.ParseZone(name.Str()); err != nil {
			return refused(value.Value{}, err)
		}
	}
	if zone == nil {
		zone = call.zone()
	}
	if d.zone == nil || d.attach {
		d.zone = zone
	}
	if t.kind == value.Time {
		return d.timeOfDay(zone), nil
	}
	moment := calendar.Moment(d.day, d.nanos, d.zone).In(zone)
	if err := checkYear(moment); err != nil {
		return refused(value.Value{}, err)
	}
	return t.of(moment), nil
}

// timeOfDay has the offsets that zones have at the draft's moment.
func (d *draft) timeOfDay(zone *time.Location) value.Value {
	from, to := offsetAt(d.at, d.zone), offsetAt(d.at, zone)
	const day = 24 * 3600e9 // offsets are less than two days apart
	return value.OfTime(value.ZonedTime{Nanos: (d.nanos + int64(to-from)*1e9 + 2*day) % day, Offset: to})
}
