package function

import (
	"math"

	"github.com/penstock-db/penstock/formats/value"
)

func init() {
	Register(
		pure("abs", 1, takes(number), abs),
		pure("sign", 1, takes(number), sign),
		pure("ceil", 1, takes(number), real(math.Ceil)),
		pure("floor", 1, takes(number), real(math.Floor)),
		pure("isNaN", 1, takes(number), isNaN),
		pure("exp", 1, takes(number), real(math.Exp)),
		pure("log", 1, takes(number), real(math.Log)),
		pure("ln", 1, takes(number), real(math.Log)),
		pure("log10", 1, takes(number), real(math.Log10)),
		pure("sqrt", 1, takes(number), real(math.Sqrt)),
		pure("e", 0, nil, constant(math.E)),
		chance("rand", random),
	)
}

// real is a function of real numbers.
func real(f func(float64) float64) body {
	return func(_ *Call, args []value.Value) (value.Value, error) {
		return value.OfFloat(f(args[0].Number())), nil
	}
}

func constant(f float64) body {
	return func(*Call, []value.Value) (value.Value, error) { return value.OfFloat(f), nil }
}

func abs(_ *Call, args []value.Value) (value.Value, error) {
	v := args[0]
	switch {
	case v.Kind() == value.Float:
		return value.OfFloat(math.Abs(v.Float())), nil
	case v.Int() < 0:
		return Negate(v)
	}
	return v, nil
}

func sign(_ *Call, args []value.Value) (value.Value, error) {
	switch n := args[0].Number(); {
	case n > 0:
		return value.OfInt(1), nil
	case n < 0:
		return value.OfInt(-1), nil
	}
	return value.OfInt(0), nil
}

func isNaN(_ *Call, args []value.Value) (value.Value, error) {
	return value.OfBool(math.IsNaN(args[0].Number())), nil
}

func random(call *Call, _ []value.Value) (value.Value, error) {
	return value.OfFloat(call.random().Float64()), nil
}

func init() {
	for name, f := range map[string]func(float64) float64{
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
		"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
		"cot":      func(x float64) float64 { return 1 / math.Tan(x) },
		"coth":     func(x float64) float64 { return 1 / math.Tanh(x) },
		"haversin": func(x float64) float64 { return (1 - math.Cos(x)) / 2 },
		"degrees":  func(x float64) float64 { return x * 180 / math.Pi },
		"radians":  func(x float64) float64 { return x / 180 * math.Pi },
	} {
		Register(pure(name, 1, takes(number), real(f)))
	}
	Register(pure("pi", 0, nil, constant(math.Pi)), pure("atan2", 2, takes(number, number), atan2))
}

func atan2(_ *Call, args []value.Value) (value.Value, error) {
	return value.OfFloat(math.Atan2(args[0].Number(), args[1].Number())), nil
}
