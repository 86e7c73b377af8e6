package parse

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/antlr4-go/antlr/v4"

	"github.com/penstock-db/penstock/internal/query/fault"
)

var nests = []struct{ open, shut string }{
	{"(", ")"}, {"[", "]"}, {"{a: ", "}"}, {"f(", ")"}, {"x[", "]"}, {"CASE WHEN ", " THEN 1 END"}, {"NOT ", ""},
	{"- ", ""},
	{"[x IN ", "]"}, {"any(x IN ", ")"}, {"reduce(s = ", ", x IN y | z)"}, {"COUNT { (n WHERE ", ") }"},
	{"EXISTS { RETURN ", " }"},
	{"[(a)-->(b) | ", "]"}, {"n {a: ", "}"}, {"1 + (", ")"},
}

// TestNesting: what is nested deep is read, what is nested too deep is refused.
func TestNesting(t *testing.T) {
	for _, nest := range nests {
		brackets := max(1, strings.Count(nest.open, "(")+strings.Count(nest.open, "{")+
			strings.Count(nest.open, "[")-strings.Count(nest.open, ")"))
		nested := func(depth int) error {
			_, err := Statement("RETURN " + strings.Repeat(nest.open, depth) + "1" + strings.Repeat(nest.shut, depth))
			return err
		}
		if err := nested((deepestNesting - 1) / brackets); err != nil {
			t.Errorf("%s…%s: %v", nest.open, nest.shut, err)
		}
		var f *fault.Error
		if err := nested(10_000); !errors.As(err, &f) || f.Detail != "UnexpectedSyntax" ||
			!strings.HasPrefix(f.Message, "nested too deep") {
			t.Errorf("%s…%s: %v", nest.open, nest.shut, err)
		}
	}
}

// TestChains: many operators one after the other are read, too many are refused.
func TestChains(t *testing.T) {
	for _, operator := range []string{"+ 1", "< 1", ".x", "IS NULL"} {
		if _, err := Statement("RETURN 1" + strings.Repeat(" "+operator, longestChain)); err != nil {
			t.Errorf("%s: %v", operator, err)
		}
		var f *fault.Error
		if _, err := Statement("RETURN 1" + strings.Repeat(" "+operator, longestChain+1)); !errors.As(err, &f) ||
			!strings.Contains(f.Message, fmt.Sprintf("more than %d operators", longestChain)) {
			t.Errorf("%s: %v", operator, err)
		}
	}
}

// TestLinear: a statement that is twice as long needs twice the memory, and no prediction by LL.
func TestLinear(t *testing.T) {
	for _, make := range []func(n int) string{
		long,
		func(n int) string { return "UNWIND [" + strings.Repeat("{a: 1, b: [2]}, ", n) + "1] AS x RETURN x" },
		func(n int) string {
			return strings.Repeat("MATCH (a)-[:X]->(b) WHERE a.x < 1 OR (a)-->(b) ", n) + "RETURN a"
		},
	} {
		allocations := func(n int) float64 {
			text := make(n)
			return testing.AllocsPerRun(1, func() {
				tokens, err := scan(text)
				if err != nil {
					t.Fatal(err)
				}
				if _, refused, err := parse(tokens, antlr.PredictionModeSLL); refused != nil || err != nil {
					t.Fatal(refused, err)
				}
			})
		}
		if one, two := allocations(200), allocations(400); two > 2.1*one {
			t.Errorf("%.40s…: %v allocations, of twice as many %v", make(1), one, two)
		}
	}
}

// TestConcurrent: parsers share what they learn of the grammar.
func TestConcurrent(t *testing.T) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, text := range []string{typical, long(20), "RETURN 1 +", "MATCH (n) RETRUN n"} {
				if _, err := Statement(text); (err == nil) != (text == typical || text[0] == 'C') {
					t.Errorf("%s: %v", text, err)
				}
			}
		})
	}
	all.Wait()
}
