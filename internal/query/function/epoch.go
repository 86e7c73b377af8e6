package function

import (
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/calendar"
	"github.com/penstock-db/penstock/internal/query/fault"
)

func init() {
	Register(
		pure("datetime.fromEpoch", 2, takes(integer, integer), func(_ *Call, args []value.Value) (value.Value, error) {
			return fromEpoch(time.Unix(args[0].Int(), 0), args[1].Int())
		}),
		pure("datetime.fromEpochMillis", 1, takes(integer), func(_ *Call, args []value.Value) (value.Value, error) {
			return fromEpoch(time.UnixMilli(args[0].Int()), 0)
		}),
	)
}

func fromEpoch(t time.Time, nanos int64) (value.Value, error) {
	if nanos < 0 || nanos >= 1e9 {
		return value.Value{}, outOfRange("the nanoseconds %d are no fraction of a second", nanos)
	}
	if err := checkYear(t.UTC()); err != nil {
		return value.Value{}, fault.Met(fault.ArgumentError, "NumberOutOfRange", "%v", err)
	}
	return value.OfDateTime(t.Add(time.Duration(nanos)).In(calendar.Offset(0))), nil
}

// epoch is a moment by the seconds or milliseconds since 1970, and the fraction of a second.
func epoch(f fields) (day, nanos int64, zone *time.Location, err error) {
	t := time.UnixMilli(f.number("epochmillis", 0))
	if f.has("epochseconds") {
		t = time.Unix(f.number("epochseconds", 0), 0)
	}
	fraction, err := f.fraction(0)
	if err == nil {
		err = checkYear(t.UTC())
	}
	day, nanos, zone = nowIn(calendar.Offset(0), t.Add(time.Duration(fraction)))
	return day, nanos, zone, err
}

func checkYear(t time.Time) error {
	if year := t.Year(); year > 999_999_999 || year < -999_999_999 {
		return &calendar.RangeError{What: "the year"}
	}
	return nil
}
