package npu

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// holds tells whether a column is of a type.
func holds(c vector.Column, t algorithms.Type) bool {
	switch t {
	case algorithms.Float:
		return c.Floats != nil
	case algorithms.Bool:
		return c.Bools != nil
	default:
		return c.Ints != nil
	}
}

// identity is what Reduce leaves every value of type t alone with.
func identity(r algorithms.Reduce, t algorithms.Type) vector.Scalar {
	return vector.Scalar{Type: t, Float: r.FloatIdentity(), Int: r.IntIdentity(), Bool: r.BoolIdentity()}
}
