package answer

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms"
)

type (
	// Oracle says what the right answer is.
	Oracle = func(*algorithms.Graph, algorithms.Args) ([]algorithms.Values, error)
	// Verifier judges an answer.
	Verifier = func(*algorithms.Graph, algorithms.Args, []algorithms.Values) error
)

// WrongAt is an *algorithms.VerifyError at vertex v.
func WrongAt(g *algorithms.Graph, v int, format string, args ...any) error {
	return &algorithms.VerifyError{Vertex: v, ID: g.IDs[v], Message: fmt.Sprintf(format, args...)}
}

// Wrong is an *algorithms.VerifyError of a result as a whole.
func Wrong(format string, args ...any) error {
	return &algorithms.VerifyError{Vertex: -1, Message: fmt.Sprintf(format, args...)}
}

// Shaped fails unless a result for g has these columns, as long as they should be; one without a name may have any.
func Shaped(g *algorithms.Graph, result []algorithms.Values, columns ...algorithms.Column) error {
	if len(result) != len(columns) {
		return Wrong("%d columns instead of %d", len(result), len(columns))
	}
	for i, got := range result {
		if all := columns[i].Count(uint64(g.N())); len(got.Floats)+len(got.Ints)+len(got.Bools) != int(all) {
			return Wrong("%d values instead of %d", got.Len(), all)
		}
		if columns[i].Name != "" && columns[i].Name != got.Name {
			return Wrong("column %s instead of %s", got.Name, columns[i].Name)
		}
		want := algorithms.NewValues(columns[i], g.N())
		if len(want.Floats) != len(got.Floats) || len(want.Ints) != len(got.Ints) {
			return Wrong("column %s does not hold a %v", got.Name, columns[i].Type)
		}
	}
	return nil
}

// Sole is the only column of a result for g, once it has the type and length it should have.
func Sole(g *algorithms.Graph, result []algorithms.Values, t algorithms.Type) (algorithms.Values, error) {
	if err := Shaped(g, result, algorithms.Column{Type: t}); err != nil {
		return algorithms.Values{}, err
	}
	return result[0], nil
}

// Matches compares a result with what it should be, floats within one part in 10⁹.
func Matches(g *algorithms.Graph, got, want algorithms.Values) error {
	for i := range want.Len() {
		switch {
		case got.Type == algorithms.Float && Near(got.Floats[i], want.Floats[i]) || got.Same(want, i):
		case want.Rows > 0:
			return Wrong("%s is %v, not %v, in row %d", got.Name, value(got, i), value(want, i), i)
		default:
			return WrongAt(g, i/want.Per(), "%s is %v, not %v", got.Name, value(got, i), value(want, i))
		}
	}
	return nil
}

// AsOracle verifies that a result of such columns is the oracle's: where no property of its own tells it from others.
func AsOracle(oracle Oracle, columns ...algorithms.Column) Verifier {
	return func(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
		if err := Shaped(g, result, columns...); err != nil {
			return err
		}
		want, err := oracle(g, args)
		for i := range want {
			if err == nil {
				err = Matches(g, result[i], want[i])
			}
		}
		return err
	}
}

// Near says whether a and b are equal but for rounding in sums of different order.
func Near(a, b float64) bool {
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		return a == b
	}
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1e-30)
}

// Floats is an oracle's answer of one column.
func Floats(name string, values []float64) []algorithms.Values {
	return []algorithms.Values{{Column: algorithms.Column{Name: name, Type: algorithms.Float}, Floats: values}}
}

// Ints is an oracle's answer of one column, of type Int or VertexID.
func Ints(name string, t algorithms.Type, values []int64) []algorithms.Values {
	return []algorithms.Values{{Column: algorithms.Column{Name: name, Type: t}, Ints: values}}
}

// Again verifies one column of floats by the oracle: after so many iterations values need have no property of their
// own.
func Again(oracle Oracle) Verifier {
	return func(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
		got, err := Sole(g, result, algorithms.Float)
		if err != nil {
			return err
		}
		want, err := oracle(g, args)
		if err != nil {
			return err
		}
		return Matches(g, got, want[0])
	}
}

// Finite is a result, if all of it are numbers, and an *algorithms.DivergedError else.
func Finite(algorithm string, result []algorithms.Values) ([]algorithms.Values, error) {
	return result, algorithms.CheckFinite(algorithm, result)
}

// Groups computes anew what takes one pass over the edges: a result of groups, by the oracle.
func Groups(oracle Oracle) Verifier {
	return func(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
		want, err := oracle(g, args)
		if err != nil {
			return err
		}
		if err := Shaped(g, result, want[0].Column, want[1].Column); err != nil {
			return err
		}
		if err := Matches(g, result[1], want[1]); err != nil {
			return err
		}
		for v, x := range want[0].Floats { // what is left of a difference has the error of its terms, which are up to 1
			if got := result[0].Floats[v]; !(math.Abs(got-x) <= 1e-9) {
				return WrongAt(g, v, "%s %v, not %v", want[0].Name, got, x)
			}
		}
		return nil
	}
}

// value is value i, to be printed.
func value(v algorithms.Values, i int) any {
	switch v.Type {
	case algorithms.Float:
		return v.Floats[i]
	case algorithms.Bool:
		return v.Bools[i]
	}
	return v.Ints[i]
}
