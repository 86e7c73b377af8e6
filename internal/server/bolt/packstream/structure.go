package packstream

import (
	"math"
	"time"

	"github.com/penstock-db/penstock/formats/value"
)

// structure reads the tag and fields of a structure that is a value.
func (d *Decoder) structure(fields int) value.Value {
	d.charge(structureMemory)
	tag := d.byte()
	switch tag {
	case tagNode, tagRelationship, tagPath:
		return d.entity(tag, fields)
	case tagPoint2D, tagPoint3D:
		return d.point(tag, fields)
	case tagDateTime, tagDateTimeZone, tagLegacyDateTime, tagLegacyDateTimeZone:
		return d.dateTime(tag, fields)
	case tagDate, tagTime, tagLocalTime, tagLocalDateTime, tagDuration:
		return d.temporal(tag, fields)
	}
	return d.fail("no value is a structure with the tag %#x", tag)
}

// structureMemory is about what the largest of them takes besides strings, lists and maps.
const structureMemory = 128

func (d *Decoder) temporal(tag byte, fields int) value.Value {
	switch {
	case tag == tagDate && fields == 1:
		return value.OfDate(d.between(-maxDays, maxDays))
	case tag == tagTime && fields == 2:
		return value.OfTime(value.ZonedTime{Nanos: d.nanosOfDay(), Offset: d.offset()})
	case tag == tagLocalTime && fields == 1:
		return value.OfLocalTime(d.nanosOfDay())
	case tag == tagLocalDateTime && fields == 2:
		return value.OfLocalDateTime(d.moment().UTC())
	case tag == tagDuration && fields == 4:
		return d.duration()
	}
	return d.wrongFields(tag, fields)
}

// maxDays is farther than the years that Neo4j has, -999999999 to 999999999.
const maxDays = 366 * 1_000_000_000

func (d *Decoder) nanosOfDay() int64 { return d.between(0, secondsPerDay*1e9-1) }

func (d *Decoder) offset() int32 { return int32(d.between(-18*3600, 18*3600)) }

// moment reads seconds since 1970 and nanoseconds.
func (d *Decoder) moment() time.Time {
	seconds := d.between(-maxDays*secondsPerDay, maxDays*secondsPerDay)
	return time.Unix(seconds, d.between(0, 1e9-1))
}

func (d *Decoder) dateTime(tag byte, fields int) value.Value {
	if fields != 3 {
		return d.wrongFields(tag, fields)
	}
	at := d.moment()
	switch tag {
	case tagDateTime:
		return value.OfDateTime(at.In(d.offsetZone()))
	case tagDateTimeZone:
		return value.OfDateTime(at.In(d.zone()))
	case tagLegacyDateTime:
		return value.OfDateTime(shownAs(at.UTC(), d.offsetZone()))
	default:
		return value.OfDateTime(shownAs(at.UTC(), d.zone()))
	}
}

func (d *Decoder) offsetZone() *time.Location { return time.FixedZone("", int(d.offset())) }

// shownAs is the moment at which a clock of the zone shows what one in UTC does at t.
func shownAs(t time.Time, zone *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
}

func (d *Decoder) zone() *time.Location {
	name := d.string()
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		d.fail("%q is no known time zone", name)
		return time.UTC
	}
	return zone
}

// duration keeps the nanoseconds from 0 up to a second.
func (d *Decoder) duration() value.Value {
	s := value.Span{Months: d.int(), Days: d.int(), Seconds: d.int()}
	nanos := d.int()
	more := nanos / 1e9
	if nanos %= 1e9; nanos < 0 {
		nanos, more = nanos+1e9, more-1
	}
	if more > 0 && s.Seconds > math.MaxInt64-more || more < 0 && s.Seconds < math.MinInt64-more {
		return d.fail("a duration has more seconds than 64 bits hold")
	}
	s.Seconds, s.Nanos = s.Seconds+more, int32(nanos)
	return value.OfDuration(s)
}

func (d *Decoder) point(tag byte, fields int) value.Value {
	if fields != 3 && tag == tagPoint2D || fields != 4 && tag == tagPoint3D {
		return d.wrongFields(tag, fields)
	}
	p := value.Place{SRID: d.srid(tag), X: d.float(), Y: d.float()}
	if tag == tagPoint3D {
		p.Z = d.float()
	}
	return value.OfPoint(p)
}

func (d *Decoder) srid(tag byte) int32 {
	srid := d.int()
	flat, high := srid == 4326 || srid == 7203, srid == 4979 || srid == 9157
	if flat && tag == tagPoint2D || high && tag == tagPoint3D {
		return int32(srid)
	}
	d.fail("%d is the SRID of no coordinate system with so many axes: 4326 and 7203 have two, 4979 and 9157 three", srid)
	return 0
}

func (d *Decoder) wrongFields(tag byte, fields int) value.Value {
	return d.fail("a structure with the tag %q cannot have %d fields", tag, fields)
}

func (d *Decoder) int() int64 {
	v := d.value()
	if v.Kind() != value.Int {
		d.fail("an integer should be here, not %s", v.Kind())
		return 0
	}
	return v.Int()
}

func (d *Decoder) between(least, most int64) int64 {
	i := d.int()
	if i < least || i > most {
		d.fail("%d should be between %d and %d", i, least, most)
		return 0
	}
	return i
}

func (d *Decoder) float() float64 {
	v := d.value()
	if v.Kind() != value.Float {
		d.fail("a float should be here, not %s", v.Kind())
		return 0
	}
	return v.Float()
}

func (d *Decoder) string() string {
	v := d.value()
	if v.Kind() != value.String {
		d.fail("a string should be here, not %s", v.Kind())
		return ""
	}
	return v.Str()
}
