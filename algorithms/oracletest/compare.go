package oracletest

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms"
)

// Rounding is how far a float may be from another, as a share of it, where sums were taken in another order.
const Rounding = 1e-9

// Differ names the first value of got that is not want's; floats may be apart by a share of the larger. Nil: there is
// none.
func Differ(got, want []algorithms.Values, share float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d columns, want %d", len(got), len(want))
	}
	for c := range want {
		if got[c].Column != want[c].Column || got[c].Len() != want[c].Len() {
			return fmt.Errorf("column %v of %d values, want %v of %d", got[c].Column, got[c].Len(), want[c].Column, want[c].Len())
		}
		for i := range want[c].Len() {
			if x, y := At(got[c], i), At(want[c], i); x != y && !near(x, y, share) {
				return fmt.Errorf("%s[%d] = %v, want %v", got[c].Name, i, x, y)
			}
		}
	}
	return nil
}

// At is value i.
func At(v algorithms.Values, i int) any {
	switch v.Type {
	case algorithms.Float:
		return v.Floats[i]
	case algorithms.Bool:
		return v.Bools[i]
	}
	return v.Ints[i]
}

func near(a, b any, share float64) bool {
	x, isFloat := a.(float64)
	y, _ := b.(float64)
	if !isFloat || math.IsInf(x-y, 0) {
		return false
	}
	return math.Abs(x-y) <= share*max(math.Abs(x), math.Abs(y)) || math.IsNaN(x) && math.IsNaN(y)
}
