package report

import (
	"encoding/json"
	"math"
)

// Change is how far an iteration has moved the values, by the program's norm. It may be
// infinite, or NaN, which JSON cannot say: there it is null.
type Change float64

func (c Change) MarshalJSON() ([]byte, error) {
	if x := float64(c); !math.IsInf(x, 0) && !math.IsNaN(x) {
		return json.Marshal(x)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads null as NaN: that the change was no finite number is all it says.
func (c *Change) UnmarshalJSON(text []byte) error {
	x := math.NaN()
	if string(text) == "null" {
		*c = Change(x)
		return nil
	}
	err := json.Unmarshal(text, &x)
	*c = Change(x)
	return err
}
