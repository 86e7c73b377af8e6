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

// shaped fails unless a result for g has these columns, as long as they should be; one without a name may have any.
func shaped(g *Graph, result []Values, columns ...Column) error {
	if len(result) != len(columns) {
		return wrong("%d columns instead of %d", len(result), len(columns))
	}
	for i, got := range result {
		if all := columns[i].Count(uint64(g.N())); len(got.Floats)+len(got.Ints)+len(got.Bools) != int(all) {
			return wrong("%d values instead of %d", got.Len(), all)
		}
		if columns[i].Name != "" && columns[i].Name != got.Name {
			return wrong("column %s instead of %s", got.Name, columns[i].Name)
		}
		want := NewValues(columns[i], g.N())
		if len(want.Floats) != len(got.Floats) || len(want.Ints) != len(got.Ints) {
			return wrong("column %s does not hold a %v", got.Name, columns[i].Type)
		}
	}
	return nil
}

// sole is the only column of a result for g, once it has the type and length it should have.
func sole(g *Graph, result []Values, t Type) (Values, error) {
	if err := shaped(g, result, Column{Type: t}); err != nil {
		return Values{}, err
	}
	return result[0], nil
}

// matches compares a result with what it should be, floats within one part in 10⁹.
func matches(g *Graph, got, want Values) error {
	for i := range want.Len() {
		switch {
		case got.Type == Float && near(got.Floats[i], want.Floats[i]) || got.same(want, i):
		case want.Rows > 0:
			return wrong("%s is %v, not %v, in row %d", got.Name, got.at(i).Value(), want.at(i).Value(), i)
		default:
			return wrongAt(g, i/want.Per(), "%s is %v, not %v", got.Name, got.at(i).Value(), want.at(i).Value())
		}
	}
	return nil
}

// asOracle verifies that a result of such columns is the oracle's: where no property of its own tells it from others.
func asOracle(oracle func(*Graph, Args) ([]Values, error), columns ...Column) func(*Graph, Args, []Values) error {
	return func(g *Graph, args Args, result []Values) error {
		if err := shaped(g, result, columns...); err != nil {
			return err
		}
		want, err := oracle(g, args)
		for i := range want {
			if err == nil {
				err = matches(g, result[i], want[i])
			}
		}
		return err
	}
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
	return []Values{{Column: Column{Name: name, Type: Float}, Floats: values}}
}

func intResult(name string, t Type, values []int64) []Values {
	return []Values{{Column: Column{Name: name, Type: t}, Ints: values}}
}
