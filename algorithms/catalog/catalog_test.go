package catalog_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
)

func TestLookup(t *testing.T) {
	for _, want := range catalog.All() {
		for _, name := range append([]string{want.Name}, want.Aliases...) {
			if a, err := catalog.Lookup(name); err != nil || a != want {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Every algorithm has a row in a table of docs/algorithms.md.
func TestAll_IsDocumented(t *testing.T) {
	document, err := os.ReadFile("../../docs/algorithms.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range catalog.All() {
		if !strings.Contains(string(document), "\n| `"+a.Name+"` |") {
			t.Errorf("%s has no row in docs/algorithms.md: add one to the table of vertex programs or of procedures", a.Name)
		}
	}
}

func TestLookup_Unknown(t *testing.T) {
	for name, want := range map[string]string{
		"pagernk":   `no algorithm is called "pagernk"; did you mean pagerank?`,
		"bsf":       `no algorithm is called "bsf"; did you mean bfs?`,
		"widestpth": `no algorithm is called "widestpth"; did you mean widest-path?`,
		"xyzzy":     `no algorithm is called "xyzzy"; there are: pagerank pagerank-delta`,
	} {
		_, err := catalog.Lookup(name)
		var unknown *algorithms.UnknownAlgorithmError
		if !errors.As(err, &unknown) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Every entry says what it is, and has exactly one of the two ways to be computed.
func TestAll_IsComplete(t *testing.T) {
	var names []string
	for _, a := range catalog.All() {
		names = append(append(names, a.Name), a.Aliases...)
		if a.Summary == "" || a.Source == "" || len(a.Result) == 0 || a.Oracle == nil || a.Verify == nil {
			t.Errorf("%s lacks one of Summary, Source, Result, Oracle and Verify", a.Name)
		}
		if (a.Program == nil) == (a.Procedure == nil) {
			t.Errorf("%s has both Program and Procedure, or neither", a.Name)
		}
		if err := algorithms.CheckPairs(a.Result); a.Shape == algorithms.OfPairs && a.Rows == nil && err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
		if err := algorithms.CheckPaths(a.Result, a.Params); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
		for _, c := range a.Result {
			if err := algorithms.CheckWidth(c.Width, a.Params); err != nil && a.Derive == nil {
				t.Errorf("%s: column %s: %v", a.Name, c.Name, err)
			}
		}
		for _, p := range a.Params {
			if p.Doc == "" {
				t.Errorf("%s: parameter %s has no doc", a.Name, p.Name)
			}
			if p.Type == algorithms.ParamVertexProperty && (a.Procedure == nil || p.Values > algorithms.Int) {
				t.Errorf("%s: parameter %s is a vertex property; expected one of numbers, of a procedure", a.Name, p.Name)
			}
			if p.Type == algorithms.ParamVectors && a.Procedure == nil {
				t.Errorf("%s: parameter %s is of vectors; expected a procedure", a.Name, p.Name)
			}
		}
	}
	slices.Sort(names)
	if distinct := slices.Compact(slices.Clone(names)); len(distinct) != len(names) {
		t.Errorf("a name stands twice in %v", names)
	}
}
