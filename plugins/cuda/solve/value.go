package solve

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// value is one value, as kernels have it: a VertexID is an Int.
type value struct {
	Type algorithms.Type
	Bits uint64
}

func floatValue(x float64) value { return value{algorithms.Float, math.Float64bits(x)} }

func intValue(x int64) value { return value{algorithms.Int, uint64(x)} }

func boolValue(x bool) value {
	v := value{Type: algorithms.Bool}
	if x {
		v.Bits = 1
	}
	return v
}

// constant is the value of e, if that is one.
func constant(checked *exprpb.CheckedExpr, e *exprpb.Expr) (value, bool) {
	s, ok := shape.Constant(checked, e)
	switch kind(s.Type) {
	case algorithms.Float:
		return floatValue(s.Float), ok
	case algorithms.Bool:
		return boolValue(s.Bool), ok
	}
	return intValue(s.Int), ok
}

func (v value) float() float64 { return math.Float64frombits(v.Bits) }

// number is v, to compare it; a NaN compares with nothing.
func (v value) number() float64 {
	if v.Type == algorithms.Float {
		return v.float()
	}
	return float64(int64(v.Bits))
}

// plus is v and by of its type; a bool stays.
func (v value) plus(by value) value {
	if v.Type == algorithms.Float {
		return floatValue(v.float() + by.float())
	}
	return value{v.Type, v.Bits + by.Bits}
}

// identity is what Reduce(identity, x) = x holds for.
func identity(r algorithms.Reduce, t algorithms.Type) value {
	switch kind(t) {
	case algorithms.Float:
		return floatValue(r.FloatIdentity())
	case algorithms.Bool:
		return boolValue(r.BoolIdentity())
	}
	return intValue(r.IntIdentity())
}

// kind is how values of a type are held.
func kind(t algorithms.Type) algorithms.Type {
	if t == algorithms.VertexID {
		return algorithms.Int
	}
	return t
}
