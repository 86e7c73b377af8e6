package packstream

import (
	"time"

	"github.com/penstock-db/penstock/formats/value"
)

func (d Dialect) appendTemporal(dst []byte, v value.Value) []byte {
	switch v.Kind() {
	case value.Date:
		return appendInts(dst, tagDate, v.Days())
	case value.LocalTime:
		return appendInts(dst, tagLocalTime, v.Nanos())
	case value.Time:
		return appendInts(dst, tagTime, v.Time().Nanos, int64(v.Time().Offset))
	case value.LocalDateTime:
		t := v.DateTime()
		return appendInts(dst, tagLocalDateTime, t.Unix(), int64(t.Nanosecond()))
	case value.DateTime:
		return d.appendDateTime(dst, v.DateTime())
	case value.Duration:
		s := v.Duration()
		return appendInts(dst, tagDuration, s.Months, s.Days, s.Seconds, int64(s.Nanos))
	default:
		panic("packstream: a value of an unknown kind: " + v.Kind().String())
	}
}

func appendInts(dst []byte, tag byte, fields ...int64) []byte {
	dst = appendHeader(dst, tag, len(fields))
	for _, field := range fields {
		dst = appendInt(dst, field)
	}
	return dst
}

func (d Dialect) appendDateTime(dst []byte, t time.Time) []byte {
	_, offset := t.Zone()
	seconds, byOffset, byZone := t.Unix(), byte(tagDateTime), byte(tagDateTimeZone)
	if !d.UTC {
		seconds, byOffset, byZone = seconds+int64(offset), tagLegacyDateTime, tagLegacyDateTimeZone
	}
	zone := t.Location().String()
	if zone == "" || zone == "Local" {
		return appendInts(dst, byOffset, seconds, int64(t.Nanosecond()), int64(offset))
	}
	dst = appendInt(appendHeader(dst, byZone, 3), seconds)
	return appendString(appendInt(dst, int64(t.Nanosecond())), zone)
}

func appendPoint(dst []byte, p value.Place) []byte {
	const wgs84Height, cartesian3D = 4979, 9157
	if p.SRID != wgs84Height && p.SRID != cartesian3D {
		dst = appendInt(appendHeader(dst, tagPoint2D, 3), int64(p.SRID))
		return appendFloat(appendFloat(dst, p.X), p.Y)
	}
	dst = appendInt(appendHeader(dst, tagPoint3D, 4), int64(p.SRID))
	return appendFloat(appendFloat(appendFloat(dst, p.X), p.Y), p.Z)
}
