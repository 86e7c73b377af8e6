package algorithms_test

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
)

// What a vertex has released is known of pagerank-delta, and of no program whose columns go by other conditions, grow
// by something else, or keep what was sent.
func TestProgram_Released(t *testing.T) {
	for name, c := range map[string]struct {
		column int // of State
		from   string
		to     string
		known  bool
	}{
		"as it is": {known: true},
		"the other way round": {from: "self.rank + (self.residual + acc)", to: "(self.residual + acc) + self.rank",
			known: true},
		"another condition":        {column: 2, from: ">", to: ">="},
		"grows by something else":  {from: "self.rank + ", to: "self.rank + 2.0 * "},
		"falls back":               {from: ": self.rank", to: ": 0.0"},
		"keeps what was sent":      {column: 2, from: ": 0.0", to: ": self.delta"},
		"sends half":               {column: 2, from: "? ", to: "? 0.5 * "},
		"takes what came away":     {from: "self.rank + ", to: "self.rank - "},
		"from another than itself": {from: "self.rank + ", to: "self.delta + "},
	} {
		a, err := catalog.Lookup("pagerank-delta")
		if err != nil {
			t.Fatal(err)
		}
		args, err := a.Bind(nil, algorithms.Env{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := a.Program(args)
		if err != nil {
			t.Fatal(err)
		}
		if c.from != "" {
			apply := &p.State[c.column].Apply.Source
			edited := strings.Replace(*apply, c.from, c.to, 1)
			if edited == *apply {
				t.Fatalf("%s: nothing to replace in %s", name, *apply)
			}
			*apply = edited
		}
		if err := algorithms.Check(p, nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		column, known := p.Released()
		if known != c.known || known && p.State[column].Name != "delta" {
			t.Errorf("%s: column %d, known: %v", name, column, known)
		}
	}
}
