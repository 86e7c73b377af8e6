package scaler_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/algorithm/scaler"
)

// Scaled numbers are what defines each scaler: from 0 to 1, of mean 0 and of a range of 1, of deviation 1, and so on;
// numbers that are all one come to 0.
func TestScale(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		given := make([]float64, 2+r.IntN(20))
		for i := range given {
			given[i] = r.NormFloat64()*10 + 50
		}
		given[1] = given[0] + 1
		scaledBy := func(name string, offset float64) (of []float64, least, most, mean, squares float64) {
			of = append(of, given...)
			scaler.Scale(of, name, offset)
			least, most = math.Inf(1), math.Inf(-1)
			for _, x := range of {
				least, most, mean = min(least, x), max(most, x), mean+x/float64(len(of))
			}
			for _, x := range of {
				squares += (x - mean) * (x - mean) / float64(len(of))
			}
			return of, least, most, mean, squares
		}
		near := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v: %s %v instead of %v", given, what, got, want)
			}
		}
		_, least, most, _, _ := scaledBy("minmax", 0)
		near("least", least, 0)
		near("most", most, 1)
		_, least, most, mean, _ := scaledBy("mean", 0)
		near("range", most-least, 1)
		near("mean", mean, 0)
		_, _, _, mean, squares := scaledBy("stdscore", 0)
		near("mean", mean, 0)
		near("variance", squares, 1)
		_, _, most, _, _ = scaledBy("max", 0)
		near("most", most, 1)
		logs, _, _, _, _ := scaledBy("log", 1000)
		near("logarithm", math.Exp(logs[0])-1000, given[0])
		same, _, _, _, _ := scaledBy("none", 0)
		near("number", same[0], given[0])
	}
	for _, name := range []string{"minmax", "mean", "stdscore"} {
		one := []float64{3, 3, 3}
		if scaler.Scale(one, name, 0); one[0] != 0 || one[2] != 0 {
			t.Errorf("%s of one number: %v", name, one)
		}
	}
}

// A scaler is a name, or a map with one, whatever the case; anything else is refused.
func TestRead(t *testing.T) {
	text := value.OfString
	of := func(entries ...value.Entry) value.Value { return value.OfEntries(entries) }
	for _, c := range []struct {
		given  value.Value
		name   string
		offset float64
	}{
		{value.Value{}, "none", 0}, {text("None"), "none", 0}, {text("MINMAX"), "minmax", 0},
		{of(value.Entry{Key: "scaler", Value: text("Log")}, value.Entry{Key: "offset", Value: value.OfInt(2)}), "log", 2},
	} {
		if name, offset, err := scaler.Read(c.given, scaler.OfScores); err != nil || name != c.name || offset != c.offset {
			t.Errorf("%v: %s, %v, %v", c.given, name, offset, err)
		}
	}
	for _, wrong := range []value.Value{
		text("softmax"), value.OfInt(1), of(value.Entry{Key: "scaler", Value: value.OfInt(1)}),
		of(value.Entry{Key: "scaler", Value: text("Max")}, value.Entry{Key: "offset", Value: value.OfFloat(2)}),
		of(value.Entry{Key: "base", Value: value.OfInt(2)}),
	} {
		if name, _, err := scaler.Read(wrong, scaler.OfScores); err == nil {
			t.Errorf("%v is taken for %s", wrong, name)
		}
	}
}
