package manual

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/query/function"
)

// What is written of a function agrees with how it can be called.
func TestAll_AgreesWithArguments(t *testing.T) {
	for _, d := range All() {
		f, ok := function.Lookup(d.Name)
		if !ok {
			if !slices.Contains(inGrammar, d.Name) {
				t.Errorf("there is no function %s", d.Name)
			}
			continue
		}
		least := len(slices.DeleteFunc(slices.Clone(d.Arguments), func(a Argument) bool { return a.Default != "" }))
		if f.Max >= 0 && (least != f.Min || len(d.Arguments) != f.Max) {
			t.Errorf("%s: %d to %d arguments are documented, there are %d to %d", d.Name, least, len(d.Arguments), f.Min, f.Max)
		}
		if d.Category == "" || d.Description == "" || d.Returns == "" {
			t.Errorf("%s is not documented in full: %+v", d.Name, d)
		}
		if f.Aggregate != (d.Category == "Aggregating") {
			t.Errorf("%s: its category is %s", d.Name, d.Category)
		}
	}
}

// Arguments are read out of a signature, also where it is no list of them.
func TestSigned(t *testing.T) {
	for signature, want := range map[string][]Argument{
		"pi() :: FLOAT": nil,
		"range(start :: INTEGER, step = 1 :: INTEGER) :: LIST<INTEGER>": {
			{"start", "", "INTEGER"}, {"step", "1", "INTEGER"}},
		"f(a :: LIST<INTEGER | FLOAT>, b :: STRING | LIST<STRING>, c :: ZONED DATETIME) :: ANY": {
			{"a", "", "LIST<INTEGER | FLOAT>"}, {"b", "", "STRING | LIST<STRING>"}, {"c", "", "ZONED DATETIME"}},
		"all(variable :: VARIABLE IN list :: LIST<ANY> WHERE predicate :: ANY) :: BOOLEAN": {
			{"variable", "", "VARIABLE"}, {"list", "", "LIST<ANY>"}, {"predicate", "", "ANY"}},
	} {
		if got := Signed(signature); !slices.Equal(got.Arguments, want) {
			t.Errorf("%s: arguments %q, not %q", signature, got.Arguments, want)
		}
	}
}
