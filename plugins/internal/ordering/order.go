// Package ordering maps values to integer keys, so that Min, Max, And and Or are one atomic
// minimum, and reads and writes columns by keys.
package ordering

import (
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Order turns values into int64 keys such that the better value has the lower key. Min, Max, And and Or over Float, Int
// and Bool are then one operation: the least key. Being the least of a total order it is exact and the same in any
// order of arrival. The kernels of the CUDA device have the same order (plugins/cuda/kernels/keys.cuh).
//
//	Float   sign-magnitude bits → two's complement, so that -0 < +0; NaN wins always,
//	        as it does in Go's min and max
//	Int     itself
//	Bool    0, 1
//	Max, Or the complement of that, which turns the order round
type Order struct{ Flip int64 } // 0 or -1

// Of is the order in which a reduction's result is the least.
func Of(r algorithms.Reduce) Order {
	if r == algorithms.Max || r == algorithms.Or {
		return Order{Flip: -1}
	}
	return Order{}
}

// Float is the key of a float.
func (o Order) Float(x float64) int64 {
	if x != x {
		return math.MinInt64 // which is the key of a NaN, flipped or not
	}
	return signMagnitude(int64(math.Float64bits(x))) ^ o.Flip
}

// ToFloat is the float that has a key.
func (o Order) ToFloat(key int64) float64 {
	return math.Float64frombits(uint64(signMagnitude(key ^ o.Flip)))
}

// Int is the key of an int, and the int of a key.
func (o Order) Int(x int64) int64 { return x ^ o.Flip }

// Bool is the key of a bool.
func (o Order) Bool(x bool) int64 {
	if x {
		return 1 ^ o.Flip
	}
	return o.Flip
}

// Scalar is the key of a scalar.
func (o Order) Scalar(s vector.Scalar) int64 {
	switch s.Type {
	case algorithms.Float:
		return o.Float(s.Float)
	case algorithms.Bool:
		return o.Bool(s.Bool)
	default:
		return o.Int(s.Int)
	}
}

// Key is the key of a value of type t by its bits; those of a Bool are 0 or 1.
func (o Order) Key(t algorithms.Type, bits uint64) int64 {
	if t == algorithms.Float {
		return o.Float(math.Float64frombits(bits))
	}
	return o.Int(int64(bits))
}

// Value are the bits of the value of type t that has a key.
func (o Order) Value(t algorithms.Type, key int64) uint64 {
	if t == algorithms.Float {
		return math.Float64bits(o.ToFloat(key))
	}
	return uint64(o.Int(key))
}

func (o Order) toBool(key int64) bool { return key^o.Flip == 1 }

// signMagnitude converts between sign-magnitude and two's complement; it is its own inverse.
func signMagnitude(bits int64) int64 { return bits ^ (bits>>63)&math.MaxInt64 }

// Encode sets keys to the keys of c.
func (o Order) Encode(keys []int64, c vector.Column) {
	for i, x := range c.Floats {
		keys[i] = o.Float(x)
	}
	for i, x := range c.Ints {
		keys[i] = o.Int(x)
	}
	for i, x := range c.Bools {
		keys[i] = o.Bool(x)
	}
}

// Decode sets c to the values of keys.
func (o Order) Decode(c vector.Column, keys []int64) {
	for i := range c.Floats {
		c.Floats[i] = o.ToFloat(keys[i])
	}
	for i := range c.Ints {
		c.Ints[i] = o.Int(keys[i])
	}
	for i := range c.Bools {
		c.Bools[i] = o.toBool(keys[i])
	}
}

// Lower is an atomic minimum, and tells whether key is the new one. Nothing may be
// swapped in that has not been compared with what it replaces.
func Lower(place *int64, key int64) bool {
	for {
		old := atomic.LoadInt64(place)
		if key >= old {
			return false
		}
		if atomic.CompareAndSwapInt64(place, old, key) {
			return true
		}
	}
}
