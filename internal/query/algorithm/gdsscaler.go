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
	scaler, offset, err := scalerOf(request.options["scaler"])
	if err != nil {
		return nil, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "scaler: %s", err)
	}
	scale(result.Columns()[0].Floats, scaler, offset)
	return result, nil
}

// scalers are the names that there are.
var scalers = []string{"none", "minmax", "max", "mean", "log", "stdscore"}

// scalerOf is the name in lower case, and what LOG adds.
func scalerOf(v value.Value) (name string, offset float64, err error) {
	name = "none"
	switch v.Kind() {
	case value.Null:
		return name, 0, nil
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
	for _, known := range scalers {
		if strings.EqualFold(known, name) {
			if offset != 0 && known != "log" {
				return "", 0, fmt.Errorf("offset is of LOG, not of %s", name)
			}
			return known, offset, nil
		}
	}
	return "", 0, fmt.Errorf("%s is not known; there are None, MinMax, Max, Mean, Log, StdScore", name)
}

// flatRange is a range below which all numbers count as one.
const flatRange = 1e-15

// scale scales numbers; where they are all one there is nothing to tell apart, and all are 0.
func scale(all []float64, scaler string, offset float64) {
	least, most, largest, sum := math.Inf(1), math.Inf(-1), 0.0, 0.0
	for _, x := range all {
		least, most, largest, sum = min(least, x), max(most, x), max(largest, math.Abs(x)), sum+x
	}
	mean, span := sum/float64(len(all)), most-least
	of := func(x float64) float64 { return x }
	switch scaler {
	case "minmax":
		of = func(x float64) float64 { return part(x-least, span) }
	case "max":
		of = func(x float64) float64 { return part(x, largest) }
	case "mean":
		of = func(x float64) float64 { return part(x-mean, span) }
	case "log":
		of = func(x float64) float64 { return math.Log(x + offset) }
	case "stdscore":
		squares := 0.0
		for _, x := range all {
			squares += (x - mean) * (x - mean)
		}
		deviation := math.Sqrt(squares / float64(len(all)))
		of = func(x float64) float64 { return part(x-mean, deviation) }
	}
	for i, x := range all {
		all[i] = of(x)
	}
}

func part(x, of float64) float64 {
	if of < flatRange {
		return 0
	}
	return x / of
}
