package cpu

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// keyOrder turns values into int64 keys such that the better value has the lower key.
// Min, Max, And and Or over Float, Int and Bool are then one operation: the least key.
// Being the least of a total order it is exact and the same in any order of arrival.
//
//	Float   sign-magnitude bits → two's complement, so that -0 < +0; NaN wins always,
//	        as it does in Go's min and max
//	Int     itself
//	Bool    0, 1
//	Max, Or the complement of that, which turns the order round
type keyOrder struct{ flip int64 } // 0 or -1

func orderOf(r algorithms.Reduce) keyOrder {
	if r == algorithms.Max || r == algorithms.Or {
		return keyOrder{flip: -1}
	}
	return keyOrder{}
}

func (o keyOrder) float(x float64) int64 {
	if x != x {
		return math.MinInt64 // which is the key of a NaN, flipped or not
	}
	return signMagnitude(int64(math.Float64bits(x))) ^ o.flip
}

func (o keyOrder) toFloat(key int64) float64 {
	return math.Float64frombits(uint64(signMagnitude(key ^ o.flip)))
}

func (o keyOrder) int(x int64) int64 { return x ^ o.flip }

func (o keyOrder) bool(x bool) int64 {
	if x {
		return 1 ^ o.flip
	}
	return o.flip
}

func (o keyOrder) scalar(s vector.Scalar) int64 {
	switch s.Type {
	case algorithms.Float:
		return o.float(s.Float)
	case algorithms.Bool:
		return o.bool(s.Bool)
	default:
		return o.int(s.Int)
	}
}

func (o keyOrder) toBool(key int64) bool { return key^o.flip == 1 }

// signMagnitude converts between sign-magnitude and two's complement; it is its own inverse.
func signMagnitude(bits int64) int64 { return bits ^ (bits>>63)&math.MaxInt64 }

// encode sets keys to the keys of c.
func (o keyOrder) encode(keys []int64, c vector.Column) {
	for i, x := range c.Floats {
		keys[i] = o.float(x)
	}
	for i, x := range c.Ints {
		keys[i] = o.int(x)
	}
	for i, x := range c.Bools {
		keys[i] = o.bool(x)
	}
}

// decode sets c to the values of keys.
func (o keyOrder) decode(c vector.Column, keys []int64) {
	for i := range c.Floats {
		c.Floats[i] = o.toFloat(keys[i])
	}
	for i := range c.Ints {
		c.Ints[i] = o.int(keys[i])
	}
	for i := range c.Bools {
		c.Bools[i] = o.toBool(keys[i])
	}
}

// identity is what Reduce(identity, x) = x holds for.
func identity(r algorithms.Reduce, t algorithms.Type) vector.Scalar {
	return vector.Scalar{Type: t, Float: r.FloatIdentity(), Int: r.IntIdentity(), Bool: r.BoolIdentity()}
}
