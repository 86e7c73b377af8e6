package function

import (
	"math"
	"slices"

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

// What Neo4j GDS has beside.
func init() {
	finite := func(v value.Value) bool { return !v.IsNull() && !math.IsNaN(v.Number()) && !math.IsInf(v.Number(), 0) }
	Register(
		pure("gds.util.NaN", 0, nil, constant(math.NaN())),
		pure("gds.util.infinity", 0, nil, constant(math.Inf(1))),
		pure("gds.util.isFinite", 1, takes(number), func(_ *Call, args []value.Value) (value.Value, error) {
			return value.OfBool(finite(args[0])), nil
		}),
		pure("gds.util.isInfinite", 1, takes(number), func(_ *Call, args []value.Value) (value.Value, error) {
			return value.OfBool(!finite(args[0])), nil
		}),
		pure("gds.similarity.cosine", 2, takes(list, list), zeroed(func(a, b []float64) float64 {
			return dot(a, b) / math.Sqrt(dot(a, a)) / math.Sqrt(dot(b, b))
		})),
		pure("gds.similarity.euclidean", 2, takes(list, list), zeroed(func(a, b []float64) float64 {
			return 1 / (1 + apart(a, b))
		})),
		pure("gds.similarity.euclideanDistance", 2, takes(list, list), zeroed(apart)),
		pure("gds.similarity.pearson", 2, takes(list, list), zeroed(pearson)),
		pure("gds.similarity.jaccard", 2, takes(list, list), shared(func(common, a, b int) float64 {
			return float64(common) / float64(a+b-common)
		})),
		pure("gds.similarity.overlap", 2, takes(list, list), shared(func(common, a, b int) float64 {
			return float64(common) / float64(min(a, b))
		})),
	)
}

// zeroed is similarity where null counts as 0, as in GDS.
func zeroed(of func(a, b []float64) float64) body {
	plain := similarity(of)
	return func(c *Call, args []value.Value) (value.Value, error) {
		numbers := make([]value.Value, len(args))
		for i, list := range args {
			all := slices.Clone(list.List())
			for k, v := range all {
				if v.IsNull() {
					all[k] = value.OfFloat(0)
				}
			}
			numbers[i] = value.OfList(all)
		}
		return plain(c, numbers)
	}
}

// apart is the distance of two vectors.
func apart(a, b []float64) float64 {
	between := make([]float64, len(a))
	for i := range a {
		between[i] = a[i] - b[i]
	}
	return math.Sqrt(dot(between, between))
}

// pearson is the cosine of what is left of two vectors without their means.
func pearson(a, b []float64) float64 {
	centered := func(v []float64) []float64 {
		mean, c := 0.0, make([]float64, len(v))
		for _, x := range v {
			mean += x / float64(len(v))
		}
		for i, x := range v {
			c[i] = x - mean
		}
		return c
	}
	a, b = centered(a), centered(b)
	return dot(a, b) / math.Sqrt(dot(a, a)) / math.Sqrt(dot(b, b))
}

// shared is a measure of how many values two lists have in common, each as often as in the list where there are fewer
// of it, and of how long they are. Null is no value of them.
func shared(of func(common, a, b int) float64) body {
	return func(_ *Call, args []value.Value) (value.Value, error) {
		left, right := known(args[0].List()), known(args[1].List())
		count, common := map[string]int{}, 0
		for _, v := range left {
			count[string(value.Append(nil, v))]++
		}
		for _, v := range right {
			if key := string(value.Append(nil, v)); count[key] > 0 {
				count[key]--
				common++
			}
		}
		if len(left) == 0 || len(right) == 0 {
			return value.OfFloat(0), nil
		}
		return value.OfFloat(of(common, len(left), len(right))), nil
	}
}

// known are the values that are not null.
func known(list []value.Value) []value.Value {
	return slices.DeleteFunc(slices.Clone(list), value.Value.IsNull)
}
