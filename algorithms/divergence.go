package algorithms

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// DivergedError is a program that had not converged when its iterations were spent, or
// whose values had overflowed by then, where that means that there is no result.
type DivergedError struct {
	Program    string
	Iterations int    // 0: of a procedure, or before any
	Meaning    string // Program.Diverged
	// Cycle is the vertices of one cycle along which values never settle, as the user names them, in
	// the order of its edges. Empty: the run ended without having found one.
	Cycle []string
}

// namedVertices is how many vertices of a cycle its error message names.
const namedVertices = 20

func (e *DivergedError) Error() string {
	if len(e.Cycle) > 0 {
		named := slices.Concat(e.Cycle, e.Cycle[:1])
		if len(e.Cycle) > namedVertices {
			named = append(slices.Clone(e.Cycle[:namedVertices]), fmt.Sprintf("… (%d vertices)", len(e.Cycle)))
		}
		what := "does not converge"
		if e.Iterations == 0 {
			what = "has no result"
		}
		return fmt.Sprintf("%s %s: %s; one such cycle is %s", e.Program, what, e.Meaning, strings.Join(named, " → "))
	}
	if e.Iterations == 0 {
		return fmt.Sprintf("%s has no result: %s", e.Program, e.Meaning)
	}
	return fmt.Sprintf("%s has not converged after %d iterations: %s", e.Program, e.Iterations, e.Meaning)
}

// Divergence is the *DivergedError of a run of p that ended after so many iterations with
// these values in its first state column, and nil if they are a result. Infinities need
// a closer look: once values have overflowed nothing changes any more, and the run seems
// to have converged.
func (p *Program) Divergence(first Values, iterations int, converged bool) error {
	overflowed := slices.ContainsFunc(first.Floats, p.Reduce.overflowed)
	switch {
	case p.Diverged != "" && !p.Exactly && (overflowed || !converged):
		return &DivergedError{Program: p.Name, Iterations: iterations, Meaning: p.Diverged}
	case p.Finite && overflowed:
		return tooLarge(p.Name)
	}
	return nil
}

// tooLarge is the error of an algorithm one of whose results is no number.
func tooLarge(algorithm string) error {
	return &DivergedError{Program: algorithm,
		Meaning: "values are more than a double can hold: give smaller weights, or fewer iterations"}
}

// CheckFinite is a *DivergedError where a number of a procedure's result is infinite, or is none. Lists and tables may
// have NaN at their ends.
func CheckFinite(procedure string, result []Values) error {
	for _, c := range result {
		padded := c.Each > 0 || c.Rows > 0
		if slices.ContainsFunc(c.Floats, func(x float64) bool { return math.IsInf(x, 0) || !padded && math.IsNaN(x) }) {
			return tooLarge(procedure)
		}
	}
	return nil
}

// overflowed says whether combining finite values may have run away to x. The identity of
// r is no such value: it is where nothing arrived. NaN comes of an infinity.
func (r Reduce) overflowed(x float64) bool {
	return math.IsNaN(x) || math.IsInf(x, 0) && x != r.FloatIdentity()
}
