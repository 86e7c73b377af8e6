package algorithms

import (
	"fmt"
	"math"
	"slices"
)

// DivergedError is a program that had not converged when its iterations were spent, or
// whose values had overflowed by then, where that means that there is no result.
type DivergedError struct {
	Program    string
	Iterations int
	Meaning    string // Program.Diverged
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("%s has not converged after %d iterations: %s", e.Program, e.Iterations, e.Meaning)
}

// Divergence is the *DivergedError of a run of p that ended after so many iterations with
// these values in its first state column, and nil if they are a result. Infinities need
// a closer look: once values have overflowed nothing changes any more, and the run seems
// to have converged.
func (p *Program) Divergence(first Values, iterations int, converged bool) error {
	if p.Diverged == "" || p.Exactly || converged && !slices.ContainsFunc(first.Floats, p.Reduce.overflowed) {
		return nil
	}
	return &DivergedError{p.Name, iterations, p.Diverged}
}

// overflowed says whether combining finite values may have run away to x. The identity of
// r is no such value: it is where nothing arrived. NaN comes of an infinity.
func (r Reduce) overflowed(x float64) bool {
	return math.IsNaN(x) || math.IsInf(x, 0) && x != r.FloatIdentity()
}
