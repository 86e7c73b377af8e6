package value

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value/calendar"
	"github.com/penstock-db/penstock/internal/testseed"
)

// random makes values of all kinds, with few different ones of each so that many are equal.
type random struct{ *rand.Rand }

func newRandom(t testing.TB) random {
	return random{testseed.Rand(t)}
}

func pick[T any](r random, of ...T) T { return of[r.IntN(len(of))] }

func (r random) span() Span {
	return Span{pick[int64](r, -1, 0, 1), pick[int64](r, 0, 30, 31), pick[int64](r, -1, 0, 629746),
		pick[int32](r, 0, 1, 999_999_999)}
}

func (r random) moment() time.Time {
	return time.Unix(pick[int64](r, -1, 0, 1e9, -6e10, 3e16), pick[int64](r, 0, 1, 999_999_999)).UTC()
}

func (r random) zone() *time.Location {
	if r.IntN(2) == 0 {
		return calendar.Offset(pick(r, 0, 3600, -5400, 3208))
	}
	zone, err := calendar.Zone(pick(r, "Europe/Stockholm", "UTC", "Pacific/Honolulu"))
	if err != nil {
		panic(err)
	}
	return zone
}

func (r random) float() float64 {
	return pick(r, 0, math.Copysign(0, -1), 1, 1.5, -1e300, math.NaN(), math.Inf(1), math.Inf(-1), 1<<53, 1<<63, -1<<63,
		1e-7)
}

func (r random) scalar() Value {
	switch pick(r, Null, Bool, Int, Float, String, Date, LocalTime, Time, LocalDateTime, DateTime, Duration, Point) {
	case Bool:
		return OfBool(r.IntN(2) == 0)
	case Int:
		return OfInt(pick[int64](r, 0, 1, -1, 1<<53, 1<<53+1, math.MaxInt64, math.MinInt64))
	case Float:
		return OfFloat(r.float())
	case String:
		return OfString(pick(r, "", "a", "ab", "it's\n\\", "seven b", "longer than eight bytes", "ä"))
	case Date:
		return OfDate(pick[int64](r, -1, 0, 1, calendar.MinDay, calendar.MaxDay))
	case LocalTime:
		return OfLocalTime(pick[int64](r, 0, 1, 43200e9))
	case Time:
		return OfTime(ZonedTime{pick[int64](r, 0, 3600e9), pick[int32](r, 0, 3600)})
	case LocalDateTime:
		return OfLocalDateTime(r.moment())
	case DateTime:
		return OfDateTime(r.moment().In(r.zone()))
	case Duration:
		return OfDuration(r.span())
	case Point:
		return OfPoint(Place{SRID: pick(r, WGS84, Cartesian, CartesianIn3D), X: r.float(), Y: pick[float64](r, 0, 1)})
	}
	return Value{}
}

// value has no parts of a graph in it.
func (r random) value(depth int) Value {
	if depth == 0 || r.IntN(3) > 0 {
		return r.scalar()
	}
	elements := make([]Value, r.IntN(3))
	for i := range elements {
		elements[i] = r.value(depth - 1)
	}
	if r.IntN(2) == 0 {
		return OfList(elements)
	}
	m := map[string]Value{}
	for _, e := range elements {
		m[pick(r, "a", "b", "c")] = e
	}
	return OfMap(m)
}

// any may be part of a graph.
func (r random) any() Value {
	id := func() uint64 { return r.Uint64N(2) }
	switch r.IntN(8) {
	case 0:
		return OfNodeID(id())
	case 1:
		return OfRelationshipID(id())
	case 2:
		return OfPath(&PathContent{Nodes: []Value{OfNodeID(id())}})
	case 3:
		nodes := []Value{OfNodeID(id()), OfNodeID(id())}
		return OfPath(&PathContent{Nodes: nodes, Relationships: []Value{OfRelationshipID(id())}})
	}
	return r.value(3)
}
