package ordering

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Keys of a column are those of its values, one by one.
func TestKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		order := Order{Flip: rapid.SampledFrom([]int64{0, -1}).Draw(t, "flip")}
		bits := rapid.OneOf(rapid.Uint64(), rapid.Map(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.Inf(1),
			math.Inf(-1), math.NaN(), -math.NaN(), math.MaxFloat64, -1, 1}), math.Float64bits)).Draw(t, "bits")
		columns := []vector.Column{{Floats: []float64{math.Float64frombits(bits)}}, {Ints: []int64{int64(bits)}}}
		for _, c := range columns {
			keys := order.KeysOf(c)
			if got, want := keys.Of(0), order.At(&c, 0); got != want {
				t.Fatalf("%+v: %d, not %d", c, got, want)
			}
		}
	})
}
