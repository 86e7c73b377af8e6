package value

import (
	"time"
	"unsafe"

	"github.com/penstock-db/penstock/formats/value/calendar"
)

// ZonedTime is a time of day at an offset from UTC.
type ZonedTime struct {
	Nanos  int64 // since midnight, there
	Offset int32 // seconds east of UTC
}

// Span is a duration. Its parts are kept apart: how long a month or a day is depends on when.
type Span struct {
	Months, Days, Seconds int64
	Nanos                 int32 // 0 to 999,999,999, also where Seconds is negative
}

// Place is a point in a coordinate system.
type Place struct {
	SRID    int32 // 4326, 4979 (WGS 84: longitude, latitude, height), 7203, 9157 (Cartesian)
	X, Y, Z float64
}

// OfDate is a day, counted from 1970-01-01.
func OfDate(days int64) Value { return Value{head: head{kind: Date}, bits: uint64(days)} }

// OfLocalTime is a time of day, in nanoseconds since midnight.
func OfLocalTime(nanos int64) Value { return Value{head: head{kind: LocalTime}, bits: uint64(nanos)} }

// OfTime is a time of day at an offset.
func OfTime(t ZonedTime) Value { return Value{head: head{kind: Time}, ref: unsafe.Pointer(&t)} }

// OfLocalDateTime is a date and time of day that t, which is in UTC, shows.
func OfLocalDateTime(t time.Time) Value {
	return Value{head: head{kind: LocalDateTime}, ref: unsafe.Pointer(&t)}
}

// OfDateTime is a moment with its zone: one that Zone knows by name, or else an offset.
func OfDateTime(t time.Time) Value {
	t = t.In(calendar.Known(t))
	return Value{head: head{kind: DateTime}, ref: unsafe.Pointer(&t)}
}

// OfDuration is a duration.
func OfDuration(s Span) Value { return Value{head: head{kind: Duration}, ref: unsafe.Pointer(&s)} }

// OfPoint is a point.
func OfPoint(p Place) Value { return Value{head: head{kind: Point}, ref: unsafe.Pointer(&p)} }

// Days of a date since 1970-01-01.
func (v Value) Days() int64 { return int64(v.must(Date).bits) }

// Nanos of a local time since midnight.
func (v Value) Nanos() int64 { return int64(v.must(LocalTime).bits) }

// Time of day at an offset.
func (v Value) Time() ZonedTime { return *(*ZonedTime)(v.must(Time).ref) }

// DateTime is the moment of a date time; of a local one, that in UTC which shows the same.
func (v Value) DateTime() time.Time {
	if v.kind != LocalDateTime {
		v.must(DateTime)
	}
	return *(*time.Time)(v.ref)
}

// Duration is the parts of a duration.
func (v Value) Duration() Span { return *(*Span)(v.must(Duration).ref) }

// Point is where a point is.
func (v Value) Point() Place { return *(*Place)(v.must(Point).ref) }
