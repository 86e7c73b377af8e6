package function

import (
	"math"

	"github.com/penstock-db/penstock/formats/value"
)

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
