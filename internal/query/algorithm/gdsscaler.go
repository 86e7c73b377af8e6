package algorithm

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// scaled scales scores in place, as the option scaler says: a name, or {scaler: 'LOG', offset: 1.0}.
func scaled(_ context.Context, result Result, request configured) (Result, error) {
	scaler, offset, err := scalerOf(request.options["scaler"], scalers)
	if err != nil {
		return nil, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "scaler: %s", err)
	}
	scale(result.Columns()[0].Floats, scaler, offset)
	return result, nil
}

// scalers are the names that there are: of scores, and of properties.
var (
	scalers         = []string{"None", "MinMax", "Max", "Mean", "Log", "StdScore"}
	propertyScalers = []string{"MinMax", "Max", "Mean", "Log", "StdScore", "Center"}
)

// scalerOf is one of the known names in lower case, and what LOG adds. Null is none.
func scalerOf(v value.Value, known []string) (name string, offset float64, err error) {
	switch v.Kind() {
	case value.Null:
		return "none", 0, nil
	case value.String:
		name = v.Str()
	case value.Map:
		for _, e := range v.Map() {
			switch key := strings.ToLower(e.Key); {
			case (key == "scaler" || key == "type") && e.Value.Kind() == value.String:
				name = e.Value.Str()
			case key == "offset" && e.Value.Kind() == value.Int:
				offset = float64(e.Value.Int())
			case key == "offset" && e.Value.Kind() == value.Float:
				offset = e.Value.Float()
			default:
				return "", 0, fmt.Errorf("%s is not known, or no text or number: expected {scaler: 'LOG', offset: 1.0}", e.Key)
			}
		}
	default:
		return "", 0, fmt.Errorf("a %s is no name", v.Kind())
	}
	for _, one := range known {
		if strings.EqualFold(one, name) {
			if offset != 0 && one != "Log" {
				return "", 0, fmt.Errorf("offset is of LOG, not of %s", name)
			}
			return strings.ToLower(one), offset, nil
		}
	}
	return "", 0, fmt.Errorf("%s is not known; there are %s", name, strings.Join(known, ", "))
}

// flatRange is a range below which all numbers count as one.
const flatRange = 1e-15

// figure is what a scaler goes by: the least number, or their average.
type figure struct {
	name string // as GDS has it
	of   float64
}

// scale scales numbers in place, and tells what it goes by. Where they are all one there is nothing to tell apart, and
// all are 0.
func scale(all []float64, scaler string, offset float64) (by []figure) {
	least, most, largest, sum := math.Inf(1), math.Inf(-1), 0.0, 0.0
	for _, x := range all {
		least, most, largest, sum = min(least, x), max(most, x), max(largest, math.Abs(x)), sum+x
	}
	mean, span := sum/float64(len(all)), most-least
	of := func(x float64) float64 { return x }
	switch scaler {
	case "minmax":
		by = []figure{{"min", least}, {"max", most}}
		of = func(x float64) float64 { return part(x-least, span) }
	case "max":
		by = []figure{{"absMax", largest}}
		of = func(x float64) float64 { return part(x, largest) }
	case "mean":
		by = []figure{{"avg", mean}, {"min", least}, {"max", most}}
		of = func(x float64) float64 { return part(x-mean, span) }
	case "log":
		of = func(x float64) float64 { return math.Log(x + offset) }
	case "stdscore":
		squares := 0.0
		for _, x := range all {
			squares += (x - mean) * (x - mean)
		}
		deviation := math.Sqrt(squares / float64(len(all)))
		by = []figure{{"avg", mean}, {"std", deviation}}
		of = func(x float64) float64 { return part(x-mean, deviation) }
	case "center":
		by = []figure{{"avg", mean}}
		of = func(x float64) float64 { return x - mean }
	}
	for i, x := range all {
		all[i] = of(x)
	}
	return by
}

func part(x, of float64) float64 {
	if of < flatRange {
		return 0
	}
	return x / of
}
