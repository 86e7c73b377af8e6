package algorithms

import (
	"math"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// Operator is one overload of a CEL operator or function.
type Operator struct {
	Function string // CEL's name, "_+_" or "min"
	Overload string // the id in a checked expression, "add_double"
	Args     []Type
	Result   Type
	// eval computes it. Nil for the operators that cel-go evaluates by itself.
	eval func(args ...ref.Val) ref.Val
}

var (
	floats1, floats2 = []Type{Float}, []Type{Float, Float}
	ints1, ints2     = []Type{Int}, []Type{Int, Int}
	bools1, bools2   = []Type{Bool}, []Type{Bool, Bool}
)

// Operators is everything that an expression may call: what a device must be able to
// compute to run every program. Overload ids are CEL's own where CEL has the operator
// with these types; equality and ?: have one id for each type instead of a generic one.
var Operators = []Operator{
	{"_+_", "add_double", floats2, Float, float2(func(a, b float64) float64 { return a + b })},
	{"_+_", "add_int64", ints2, Int, int2(func(a, b int64) int64 { return a + b })},
	{"_-_", "subtract_double", floats2, Float, float2(func(a, b float64) float64 { return a - b })},
	{"_-_", "subtract_int64", ints2, Int, int2(func(a, b int64) int64 { return a - b })},
	{"_*_", "multiply_double", floats2, Float, float2(func(a, b float64) float64 { return a * b })},
	{"_*_", "multiply_int64", ints2, Int, int2(func(a, b int64) int64 { return a * b })},
	{"_/_", "divide_double", floats2, Float, float2(func(a, b float64) float64 { return a / b })},
	{"_/_", "divide_int64", ints2, Int, int2(quotient)},
	{"_%_", "modulo_int64", ints2, Int, int2(remainder)},
	{"-_", "negate_double", floats1, Float, float1(func(a float64) float64 { return -a })},
	{"-_", "negate_int64", ints1, Int, int1(func(a int64) int64 { return -a })},

	{"_<_", "less_double", floats2, Bool, testFloats(func(a, b float64) bool { return a < b })},
	{"_<_", "less_int64", ints2, Bool, testInts(func(a, b int64) bool { return a < b })},
	{"_<=_", "less_equals_double", floats2, Bool, testFloats(func(a, b float64) bool { return a <= b })},
	{"_<=_", "less_equals_int64", ints2, Bool, testInts(func(a, b int64) bool { return a <= b })},
	{"_>_", "greater_double", floats2, Bool, testFloats(func(a, b float64) bool { return a > b })},
	{"_>_", "greater_int64", ints2, Bool, testInts(func(a, b int64) bool { return a > b })},
	{"_>=_", "greater_equals_double", floats2, Bool, testFloats(func(a, b float64) bool { return a >= b })},
	{"_>=_", "greater_equals_int64", ints2, Bool, testInts(func(a, b int64) bool { return a >= b })},
	{"_==_", "equals_double", floats2, Bool, nil},
	{"_==_", "equals_int64", ints2, Bool, nil},
	{"_==_", "equals_bool", bools2, Bool, nil},
	{"_!=_", "not_equals_double", floats2, Bool, nil},
	{"_!=_", "not_equals_int64", ints2, Bool, nil},
	{"_!=_", "not_equals_bool", bools2, Bool, nil},

	{"!_", "logical_not", bools1, Bool, func(a ...ref.Val) ref.Val { return !a[0].(types.Bool) }},
	{"_&&_", "logical_and", bools2, Bool, nil},
	{"_||_", "logical_or", bools2, Bool, nil},
	{"_?_:_", "conditional_double", []Type{Bool, Float, Float}, Float, nil},
	{"_?_:_", "conditional_int64", []Type{Bool, Int, Int}, Int, nil},
	{"_?_:_", "conditional_bool", []Type{Bool, Bool, Bool}, Bool, nil},

	{"min", "min_double", floats2, Float, float2(func(a, b float64) float64 { return min(a, b) })},
	{"min", "min_int64", ints2, Int, int2(func(a, b int64) int64 { return min(a, b) })},
	{"max", "max_double", floats2, Float, float2(func(a, b float64) float64 { return max(a, b) })},
	{"max", "max_int64", ints2, Int, int2(func(a, b int64) int64 { return max(a, b) })},
	{"abs", "abs_double", floats1, Float, float1(math.Abs)},
	{"abs", "abs_int64", ints1, Int, int1(func(a int64) int64 { return max(a, -a) })},
	{"sqrt", "sqrt_double", floats1, Float, float1(math.Sqrt)},
	{"exp", "exp_double", floats1, Float, float1(math.Exp)},
	{"log", "log_double", floats1, Float, float1(math.Log)},
	{"double", "int64_to_double", ints1, Float, func(a ...ref.Val) ref.Val { return types.Double(a[0].(types.Int)) }},
	{"double", "double_to_double", floats1, Float, float1(func(a float64) float64 { return a })},
	{"single", "single_double", floats1, Float, float1(single)},
	{"int", "double_to_int64", floats1, Int, func(a ...ref.Val) ref.Val {
		return types.Int(
			truncate(float64(a[0].(types.Double))))
	}},
	{"int", "int64_to_int64", ints1, Int, int1(func(a int64) int64 { return a })},
}

func float1(f func(a float64) float64) func(...ref.Val) ref.Val {
	return func(a ...ref.Val) ref.Val { return types.Double(f(float64(a[0].(types.Double)))) }
}

func float2(f func(a, b float64) float64) func(...ref.Val) ref.Val {
	return func(a ...ref.Val) ref.Val {
		return types.Double(f(float64(a[0].(types.Double)), float64(a[1].(types.Double))))
	}
}

func int1(f func(a int64) int64) func(...ref.Val) ref.Val {
	return func(a ...ref.Val) ref.Val { return types.Int(f(int64(a[0].(types.Int)))) }
}

func int2(f func(a, b int64) int64) func(...ref.Val) ref.Val {
	return func(a ...ref.Val) ref.Val {
		return types.Int(f(int64(a[0].(types.Int)), int64(a[1].(types.Int))))
	}
}

func testFloats(f func(a, b float64) bool) func(...ref.Val) ref.Val {
	return func(a ...ref.Val) ref.Val {
		return types.Bool(f(float64(a[0].(types.Double)), float64(a[1].(types.Double))))
	}
}

func testInts(f func(a, b int64) bool) func(...ref.Val) ref.Val {
	return func(a ...ref.Val) ref.Val {
		return types.Bool(f(int64(a[0].(types.Int)), int64(a[1].(types.Int))))
	}
}

// quotient is a/b, and 0 when b is: a rule that costs a device one select, where an
// error would cost it a way out of every loop.
func quotient(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func remainder(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	return a % b
}

// single is the number of single precision that is nearest to x, as a double.
func single(x float64) float64 { return float64(float32(x)) }

// truncate cuts x towards zero. Beyond int64 it is the nearest int64; NaN is 0. Go
// leaves these cases to the processor.
func truncate(x float64) int64 {
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return int64(x)
}
