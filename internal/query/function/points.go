package function

import (
	"math"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
)

func init() {
	points := KindsOf(value.Point)
	apart := pure("point.distance", 2, takes(points, points), distance)
	Register(
		pure("point", 1, takes(record|points), toPoint), apart, alias("distance", apart),
		pure("point.withinBBox", 3, takes(points, points, points), within),
	)
}

func distance(_ *Call, args []value.Value) (value.Value, error) {
	d, known := value.Distance(args[0].Point(), args[1].Point())
	if !known {
		return null()
	}
	return value.OfFloat(d), nil
}

func within(_ *Call, args []value.Value) (value.Value, error) {
	in, known := value.Within(args[0].Point(), args[1].Point(), args[2].Point())
	return truth(in, known), nil
}

// toPoint makes a point of a map: {x, y}, {x, y, z}, {longitude, latitude} or {longitude,
// latitude, height}, with a crs or srid where it can't be told by that.
func toPoint(_ *Call, args []value.Value) (value.Value, error) {
	m := args[0]
	if m.Kind() == value.Point {
		return m, nil
	}
	p, whole, err := coordinates(m)
	if err != nil || !whole {
		return value.Value{}, err
	}
	if err := located(m, &p); err != nil {
		return value.Value{}, err
	}
	return value.OfPoint(p), nil
}

// coordinates of a point, in the system that their names stand for. It is not whole where one is
// null.
func coordinates(m value.Value) (p value.Place, whole bool, err error) {
	names, flat, deep := [3]string{"x", "y", "z"}, value.Cartesian, value.CartesianIn3D
	if !has(m, "x") {
		names, flat, deep = [3]string{"longitude", "latitude", "height"}, value.WGS84, value.WGS84In3D
	}
	p.SRID = flat
	for i, into := range []*float64{&p.X, &p.Y, &p.Z} {
		v := m.Get(names[i])
		switch {
		case i == 2 && !has(m, names[i]):
		case !has(m, names[i]):
			return p, false, fault.Met(fault.ArgumentError, "InvalidArgumentValue",
				"a point takes x and y, or longitude and latitude: %s is missing", names[i])
		case v.IsNull():
			return p, false, nil
		case !v.IsNumber():
			return p, false, fault.Met(fault.TypeError, "InvalidArgumentValue", "the %s of a point is a number, not the %s %s",
				names[i], v.Kind(), short(v))
		default:
			*into = v.Number()
			p.SRID = [...]int32{flat, flat, deep}[i]
		}
	}
	return p, true, nil
}

func has(m value.Value, key string) bool {
	for _, e := range m.Map() {
		if e.Key == key {
			return true
		}
	}
	return false
}

// located puts the point in the system that the map names, which has to have as many dimensions.
func located(m value.Value, p *value.Place) error {
	dimensions, srid := p.Dimensions(), p.SRID
	if name := m.Get("crs"); name.Kind() == value.String {
		srid, _ = value.SystemOf(name.Str())
	} else if n := m.Get("srid"); n.Kind() == value.Int {
		srid = int32(max(0, min(n.Int(), math.MaxInt32)))
	}
	geographic := p.Geographic()
	p.SRID = srid
	if p.System() == "" || p.Dimensions() != dimensions || geographic && !p.Geographic() {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"there is no coordinate system for the point %s: use wgs-84, wgs-84-3d, cartesian or cartesian-3d", short(m))
	}
	if p.Geographic() && !(p.X >= -180 && p.X <= 180 && p.Y >= -90 && p.Y <= 90) {
		return outOfRange("the point %s is not on the Earth: longitudes go from -180 to 180, latitudes from -90 to 90",
			short(m))
	}
	return nil
}
