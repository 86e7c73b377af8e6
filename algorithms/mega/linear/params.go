package linear

import (
	"math"

	"github.com/penstock-db/penstock/algorithms/mega"
)

// Params are those of both ways to train.
type Params struct {
	L1, L2    float64 // λ₁, λ₂
	Tolerance float64 // training ends when the gradient is this small beside that of no weights
	Steps     int     // and at the latest after so many
}

// Defaults are as tight as tests need them; the caller sets the penalty.
func Defaults() Params { return Params{Tolerance: 1e-6, Steps: 1000} }

// Check refuses parameters that mean nothing.
func (p Params) Check(learner string) error {
	bad := func(name string, value any, want string) error {
		return &mega.ParamError{Learner: learner, Param: name, Value: value, Want: want}
	}
	usable := func(x float64) bool { return x >= 0 && !math.IsInf(x, 0) }
	switch {
	case !usable(p.L1):
		return bad("l1", p.L1, "a finite number of at least 0")
	case !usable(p.L2):
		return bad("l2", p.L2, "a finite number of at least 0")
	case !(p.Tolerance > 0):
		return bad("tolerance", p.Tolerance, "a number above 0")
	case p.Steps < 1:
		return bad("steps", p.Steps, "at least 1")
	}
	return nil
}
