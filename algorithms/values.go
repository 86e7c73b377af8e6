package algorithms

import (
	"math"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// NewValues is a column of zeros, in a graph of so many vertices.
func NewValues(c Column, vertices int) Values {
	n := c.Count(uint64(vertices))
	v := Values{Column: c}
	switch c.Type {
	case Float:
		v.Floats = make([]float64, n)
	case Bool:
		v.Bools = make([]bool, n)
	default:
		v.Ints = make([]int64, n)
	}
	return v
}

// Len is the number of values.
func (v Values) Len() int { return max(len(v.Floats), len(v.Ints), len(v.Bools)) }

// Vertices is how many vertices, or rows of a table, have values.
func (v Values) Vertices() int { return v.Len() / v.Per() }

// at is value i as CEL has it.
func (v Values) at(i int) ref.Val {
	switch v.Type {
	case Float:
		return types.Double(v.Floats[i])
	case Bool:
		return types.Bool(v.Bools[i])
	}
	return types.Int(v.Ints[i])
}

func (v Values) set(i int, x ref.Val) {
	switch x := x.(type) {
	case types.Double:
		v.Floats[i] = float64(x)
	case types.Bool:
		v.Bools[i] = bool(x)
	case types.Int:
		v.Ints[i] = int64(x)
	}
}

// fillIdentity sets every value to the identity of r.
func (v Values) fillIdentity(r Reduce) {
	for i := range v.Floats {
		v.Floats[i] = r.FloatIdentity()
	}
	for i := range v.Ints {
		v.Ints[i] = r.IntIdentity()
	}
	for i := range v.Bools {
		v.Bools[i] = r.BoolIdentity()
	}
}

// IsIdentity tells whether value i is the identity of r.
func (v Values) IsIdentity(r Reduce, i int) bool {
	switch v.Type {
	case Float:
		return v.Floats[i] == r.FloatIdentity()
	case Bool:
		return v.Bools[i] == r.BoolIdentity()
	}
	return v.Ints[i] == r.IntIdentity()
}

// combine sets value i to r of it and x.
func (v Values) combine(r Reduce, i int, x ref.Val) {
	switch x := x.(type) {
	case types.Double:
		v.Floats[i] = r.CombineFloats(v.Floats[i], float64(x))
	case types.Bool:
		v.Bools[i] = r.CombineBools(v.Bools[i], bool(x))
	case types.Int:
		v.Ints[i] = r.CombineInts(v.Ints[i], int64(x))
	}
}

// Same says whether value i is the same in v and w, bit for bit.
func (v Values) Same(w Values, i int) bool {
	switch v.Type {
	case Float:
		return math.Float64bits(v.Floats[i]) == math.Float64bits(w.Floats[i])
	case Bool:
		return v.Bools[i] == w.Bools[i]
	}
	return v.Ints[i] == w.Ints[i]
}

// number is value i as a number; false is 0 and true is 1.
func (v Values) number(i int) float64 {
	switch {
	case v.Type == Float:
		return v.Floats[i]
	case v.Type != Bool:
		return float64(v.Ints[i])
	case v.Bools[i]:
		return 1
	}
	return 0
}
