package value

import (
	"math"
	"strings"
)

// The coordinate systems by their SRIDs.
const (
	WGS84         int32 = 4326 // longitude, latitude
	WGS84In3D     int32 = 4979 // and height in meters
	Cartesian     int32 = 7203
	CartesianIn3D int32 = 9157
)

var systems = map[int32]string{WGS84: "wgs-84", WGS84In3D: "wgs-84-3d", Cartesian: "cartesian",
	CartesianIn3D: "cartesian-3d"}

// System is the name of the coordinate system; empty: there is none of that SRID.
func (p Place) System() string { return systems[p.SRID] }

// SystemOf finds a coordinate system by name.
func SystemOf(name string) (srid int32, ok bool) {
	for srid, system := range systems {
		if system == strings.ToLower(name) {
			return srid, true
		}
	}
	return 0, false
}

// Dimensions of the coordinate system, 2 or 3.
func (p Place) Dimensions() int {
	if p.SRID == WGS84In3D || p.SRID == CartesianIn3D {
		return 3
	}
	return 2
}

// Geographic tells whether the point is on the Earth.
func (p Place) Geographic() bool { return p.SRID == WGS84 || p.SRID == WGS84In3D }

// Distance between points of one coordinate system: along a straight line, or, on the Earth,
// along a great circle in meters. It is not known between different systems.
func Distance(a, b Place) (d float64, known bool) {
	switch {
	case a.SRID != b.SRID:
		return 0, false
	case a.Geographic():
		return math.Hypot(greatCircle(a, b), a.Z-b.Z), true
	}
	return math.Hypot(math.Hypot(a.X-b.X, a.Y-b.Y), a.Z-b.Z), true
}

// earth is the radius at the equator, in meters.
const earth = 6378140

// greatCircle is the length of an arc by the haversine formula, at the mean of the heights.
func greatCircle(a, b Place) float64 {
	haversine := func(degrees float64) float64 {
		sine := math.Sin(degrees * math.Pi / 360)
		return sine * sine
	}
	h := haversine(b.Y-a.Y) + math.Cos(radians(a.Y))*math.Cos(radians(b.Y))*haversine(b.X-a.X)
	return 2 * (earth + (a.Z+b.Z)/2) * math.Asin(math.Sqrt(min(h, 1)))
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

// Within tells whether a point is in the box between two corners, on the edges too. On the Earth
// a box whose west lies east of its east crosses the 180th meridian. It is not known between
// different systems.
func Within(p, lowest, highest Place) (in, known bool) {
	if p.SRID != lowest.SRID || p.SRID != highest.SRID {
		return false, false
	}
	x := lowest.X <= p.X && p.X <= highest.X
	if p.Geographic() && lowest.X > highest.X {
		x = lowest.X <= p.X || p.X <= highest.X
	}
	return x && lowest.Y <= p.Y && p.Y <= highest.Y && lowest.Z <= p.Z && p.Z <= highest.Z, true
}
