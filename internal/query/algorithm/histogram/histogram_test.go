package histogram_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/algorithm/histogram"
	"github.com/penstock-db/penstock/internal/testseed"
)

// A percentile is that of the sorted numbers, or 0.1 % more at most; least, largest and mean are exact.
func TestHistogram_IsOfTheSortedNumbers(t *testing.T) {
	seed := testseed.New(t)
	for round := range 200 {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		numbers := make([]float64, 1+r.IntN(300))
		var h histogram.Histogram
		sum := 0.0
		for i := range numbers {
			numbers[i] = []float64{r.NormFloat64(), float64(r.IntN(5)), -r.ExpFloat64() * 1e300, 0}[r.IntN(4)]
			h.Add(numbers[i])
			sum += numbers[i]
		}
		slices.Sort(numbers)
		got := map[string]float64{}
		for _, e := range h.Value().Map() {
			got[e.Key] = e.Value.Float()
		}
		at := func(share float64) float64 { return numbers[max(1, int(math.Ceil(share*float64(len(numbers)))))-1] }
		for name, share := range map[string]float64{"p1": 0.01, "p25": 0.25, "p50": 0.5, "p90": 0.9, "p999": 0.999} {
			if want := at(share); !(got[name] >= want && got[name]-want <= math.Abs(want)/1000+1e-300) {
				t.Fatalf("%s is %v, of %v", name, got[name], want)
			}
		}
		if got["min"] != numbers[0] || got["max"] != numbers[len(numbers)-1] || got["mean"] != sum/float64(len(numbers)) {
			t.Fatalf("%v of %v", got, numbers)
		}
	}
}

// What has no values has no percentiles.
func TestHistogram_OfNothing(t *testing.T) {
	var h histogram.Histogram
	if got := h.Value(); got.Kind() != value.Map || len(got.Map()) != 0 {
		t.Fatal(got.Text())
	}
}
