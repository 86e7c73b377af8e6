package train

import (
	"math"
	"testing"
)

// Scores that are not numbers come last, and are one place.
func TestRanking_NotNumbers(t *testing.T) {
	nan := float32(math.NaN())
	area, precision := ranking([]float32{nan, 1, nan, 0}, []bool{true, true, false, false})
	if area != 0.625 || precision != 0.75 {
		t.Errorf("an area of %g and a precision of %g, not 0.625 and 0.75", area, precision)
	}
}
