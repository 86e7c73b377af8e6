// Package scaler scales numbers as Neo4j GDS does: scores, and properties of nodes.
package scaler

import (
	"fmt"
	"math"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
)

// The names that there are: of scores, and of properties.
var (
	OfScores     = []string{"None", "MinMax", "Max", "Mean", "Log", "StdScore"}
	OfProperties = []string{"MinMax", "Max", "Mean", "Log", "StdScore", "Center"}
)

// Read is one of the known names in lower case, and what LOG adds: of a name, or of {scaler: 'LOG', offset: 1.0}. Null
// is none.
func Read(v value.Value, known []string) (name string, offset float64, err error) {
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

// Figure is what a scaler goes by: the least number, or their average.
type Figure struct {
	Name string // as GDS has it
	Of   float64
}

// Scale scales numbers in place, and tells what it goes by. Where they are all one there is nothing to tell apart, and
// all are 0.
func Scale(all []float64, scaler string, offset float64) (by []Figure) {
	least, most, largest, sum := math.Inf(1), math.Inf(-1), 0.0, 0.0
	for _, x := range all {
		least, most, largest, sum = min(least, x), max(most, x), max(largest, math.Abs(x)), sum+x
	}
	mean, span := sum/float64(len(all)), most-least
	of := func(x float64) float64 { return x }
	switch scaler {
	case "minmax":
		by = []Figure{{"min", least}, {"max", most}}
		of = func(x float64) float64 { return part(x-least, span) }
	case "max":
		by = []Figure{{"absMax", largest}}
		of = func(x float64) float64 { return part(x, largest) }
	case "mean":
		by = []Figure{{"avg", mean}, {"min", least}, {"max", most}}
		of = func(x float64) float64 { return part(x-mean, span) }
	case "log":
		of = func(x float64) float64 { return math.Log(x + offset) }
	case "stdscore":
		squares := 0.0
		for _, x := range all {
			squares += (x - mean) * (x - mean)
		}
		deviation := math.Sqrt(squares / float64(len(all)))
		by = []Figure{{"avg", mean}, {"std", deviation}}
		of = func(x float64) float64 { return part(x-mean, deviation) }
	case "center":
		by = []Figure{{"avg", mean}}
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
