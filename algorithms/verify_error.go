package algorithms

import (
	"fmt"
	"math"
)

// VerifyError is a result that is not what its algorithm defines, at one vertex.
type VerifyError struct {
	Vertex  int   // position in the graph; -1 when the result as a whole is wrong
	ID      int64 // the vertex's id
	Message string
}

func (e *VerifyError) Error() string {
	if e.Vertex < 0 {
		return "wrong result: " + e.Message
	}
	return fmt.Sprintf("wrong result at vertex %d: %s", e.ID, e.Message)
}

func wrongAt(g *Graph, v int, format string, args ...any) error {
	return &VerifyError{Vertex: v, ID: g.IDs[v], Message: fmt.Sprintf(format, args...)}
}

func wrong(format string, args ...any) error {
	return &VerifyError{Vertex: -1, Message: fmt.Sprintf(format, args...)}
}

// sole is the only column of a result for g, once it has the type and length it should have.
func sole(g *Graph, result []Values, t Type) (Values, error) {
	switch {
	case len(result) != 1:
		return Values{}, wrong("%d columns instead of 1", len(result))
	case len(result[0].Floats)+len(result[0].Ints)+len(result[0].Bools) != g.N():
		return Values{}, wrong("%d values for %d vertices", result[0].Len(), g.N())
	}
	want := NewValues(Column{Type: t}, g.N())
	if len(want.Floats) != len(result[0].Floats) || len(want.Ints) != len(result[0].Ints) {
		return Values{}, wrong("column %s does not hold a %v", result[0].Name, t)
	}
	return result[0], nil
}

// matches compares a result with what it should be, floats within one part in 10⁹.
func matches(g *Graph, got, want Values) error {
	for v := range g.IDs {
		if got.Type == Float && near(got.Floats[v], want.Floats[v]) {
			continue
		}
		if !got.same(want, v) {
			return wrongAt(g, v, "%s is %v, not %v", got.Name, got.at(v).Value(), want.at(v).Value())
		}
	}
	return nil
}

// near says whether a and b are equal but for rounding in sums of different order.
func near(a, b float64) bool {
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		return a == b
	}
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1e-30)
}

// floatResult and intResult wrap up an oracle's answer.
func floatResult(name string, values []float64) []Values {
	return []Values{{Column: Column{name, Float}, Floats: values}}
}

func intResult(name string, t Type, values []int64) []Values {
	return []Values{{Column: Column{name, t}, Ints: values}}
}
