package trial

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms"
)

// tolerance is how far a float may be from the oracle's, as a share of it: sums may be
// taken in any order, and a device may fuse a multiplication and an addition.
const tolerance = 1e-9

// Differs names the first value of got that is not want's, or is nil.
func Differs(g *algorithms.Graph, got, want []algorithms.Values, equal func(a, b float64) bool) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d columns; expected %d", len(got), len(want))
	}
	for c := range want {
		if got[c].Per() != want[c].Per() || got[c].Len() < want[c].Len() {
			return fmt.Errorf("%s has %d values of %d a vertex; expected %d of %d", want[c].Name, got[c].Len(), got[c].Per(),
				want[c].Len(), want[c].Per())
		}
		for i := range int(want[c].Count(uint64(g.N()))) {
			a, b := At(got[c], i), At(want[c], i)
			same := a == b
			if want[c].Type == algorithms.Float {
				same = equal(got[c].Floats[i], want[c].Floats[i])
			}
			if !same {
				if want[c].Rows > 0 {
					return fmt.Errorf("%s is %v in row %d; expected %v", want[c].Name, a, i, b)
				}
				v := i / want[c].Per()
				return fmt.Errorf("%s of vertex %d (id %d) is %v at place %d; expected %v", want[c].Name, v, g.IDs[v], a,
					i%want[c].Per(), b)
			}
		}
	}
	return nil
}

// At is a value of a column.
func At(values algorithms.Values, i int) any {
	switch values.Type {
	case algorithms.Float:
		return values.Floats[i]
	case algorithms.Bool:
		return values.Bools[i]
	}
	return values.Ints[i]
}

// Nearly compares floats that may differ by rounding.
func Nearly(a, b float64) bool { return within(tolerance, a, b) }

// nearlySingle is for messages of single precision: the last bit of a sum may decide which way one is rounded.
func nearlySingle(a, b float64) bool { return within(1e-6, a, b) }

func within(share, a, b float64) bool {
	if a == b || a != a && b != b {
		return true
	}
	return math.Abs(a-b) <= share*max(math.Abs(a), math.Abs(b), tolerance)
}

// NearlyFor is how near the results of an algorithm must be.
func NearlyFor(args algorithms.Args) func(a, b float64) bool {
	if args.Strings["precision"] == "single" {
		return nearlySingle
	}
	return Nearly
}

// SameBits compares floats that may not.
func SameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
