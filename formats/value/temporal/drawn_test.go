package temporal

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/calendar"
	"github.com/penstock-db/penstock/internal/testseed"
)

// draws makes temporal values, of every kind.
type draws struct{ *rand.Rand }

func newDraws(t testing.TB) draws { return draws{testseed.Rand(t)} }

func oneOf[T any](r draws, of ...T) T { return of[r.IntN(len(of))] }

func (r draws) zone() *time.Location {
	if r.IntN(2) == 0 {
		return calendar.Offset(oneOf(r, 0, 3600, -5400, 3208))
	}
	zone, err := calendar.Zone(oneOf(r, "Europe/Stockholm", "UTC", "Pacific/Honolulu"))
	if err != nil {
		panic(err)
	}
	return zone
}

func (r draws) moment() time.Time {
	return time.Unix(oneOf[int64](r, -1, 0, 1e9, -6e10, 3e16), oneOf[int64](r, 0, 1, 999_999_999)).UTC()
}

func (r draws) value() value.Value {
	switch r.IntN(6) {
	case 0:
		return value.OfDate(oneOf[int64](r, -1, 0, 1, calendar.MinDay, calendar.MaxDay))
	case 1:
		return value.OfLocalTime(oneOf[int64](r, 0, 1, 43200e9))
	case 2:
		return value.OfTime(value.ZonedTime{Nanos: oneOf[int64](r, 0, 3600e9), Offset: oneOf[int32](r, 0, 3600)})
	case 3:
		return value.OfLocalDateTime(r.moment())
	case 4:
		return value.OfDateTime(r.moment().In(r.zone()))
	}
	return value.OfDuration(value.Span{Months: oneOf[int64](r, -1, 0, 1), Days: oneOf[int64](r, 0, 30, 31),
		Seconds: oneOf[int64](r, -1, 0, 629746), Nanos: oneOf[int32](r, 0, 1, 999_999_999)})
}
