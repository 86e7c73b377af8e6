package value

import (
	"math"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b Place
		want float64
	}{
		{Place{SRID: Cartesian}, Place{SRID: Cartesian, X: 3, Y: 4}, 5},
		{Place{SRID: CartesianIn3D}, Place{SRID: CartesianIn3D, X: 2, Y: 3, Z: 6}, 7},
		{Place{SRID: WGS84}, Place{SRID: WGS84, X: 90}, earth * math.Pi / 2},
		{Place{SRID: WGS84, Y: 90}, Place{SRID: WGS84, Y: -90}, earth * math.Pi},
		{Place{SRID: WGS84In3D, Z: 1000}, Place{SRID: WGS84In3D, X: 180, Z: 1000}, (earth + 1000) * math.Pi},
		{Place{SRID: WGS84In3D}, Place{SRID: WGS84In3D, Z: 7}, 7},
	} {
		if got, known := Distance(test.a, test.b); !known || math.Abs(got-test.want) > test.want*1e-12 {
			t.Errorf("%v to %v: %v, want %v", test.a, test.b, got, test.want)
		}
	}
	if _, known := Distance(Place{SRID: WGS84}, Place{SRID: Cartesian}); known {
		t.Error("there is a distance between different systems")
	}
}

func TestWithin(t *testing.T) {
	box := func(x0, x1 float64) (Place, Place) {
		return Place{SRID: WGS84, X: x0}, Place{SRID: WGS84, X: x1, Y: 10}
	}
	for _, test := range []struct {
		x, from, to float64
		want        bool
	}{{5, 0, 10, true}, {11, 0, 10, false}, {179, 170, -170, true}, {-179, 170, -170, true}, {0, 170, -170, false}} {
		a, b := box(test.from, test.to)
		if got, known := Within(Place{SRID: WGS84, X: test.x, Y: 10}, a, b); !known || got != test.want {
			t.Errorf("%v from %v to %v: %t", test.x, test.from, test.to, got)
		}
	}
}
