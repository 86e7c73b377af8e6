package function

import (
	"math"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
)

func init() {
	Register(
		pure("vector.similarity.cosine", 2, takes(list, list), similarity(cosine)),
		pure("vector.similarity.euclidean", 2, takes(list, list), similarity(euclidean)),
	)
}

// similarity goes from 0 to 1, for lists of as many numbers.
func similarity(of func(a, b []float64) float64) body {
	return func(_ *Call, args []value.Value) (value.Value, error) {
		a, b := vector(args[0]), vector(args[1])
		if a == nil || len(a) != len(b) {
			return value.Value{}, fault.Met(fault.ArgumentError, "InvalidArgumentValue",
				"vectors are lists of as many numbers, not %s and %s", short(args[0]), short(args[1]))
		}
		return value.OfFloat(of(a, b)), nil
	}
}

// vector is the numbers of a list; nil: it has none, or other values.
func vector(v value.Value) []float64 {
	var numbers []float64
	for _, e := range v.List() {
		if !e.IsNumber() {
			return nil
		}
		numbers = append(numbers, e.Number())
	}
	return numbers
}

// cosine of the angle, moved to 0 to 1. That with a vector of no length is not a number.
func cosine(a, b []float64) float64 {
	return (1 + dot(a, b)/math.Sqrt(dot(a, a))/math.Sqrt(dot(b, b))) / 2
}

// euclidean is 1 at no distance.
func euclidean(a, b []float64) float64 {
	apart := make([]float64, len(a))
	for i := range a {
		apart[i] = a[i] - b[i]
	}
	return 1 / (1 + dot(apart, apart))
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
