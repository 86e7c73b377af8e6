package algorithms_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

func TestLookup(t *testing.T) {
	for _, name := range []string{"pagerank", "personalized-pagerank", "num-paths", "adsorption", "bfs", "sssp", "wcc", "widest-path", "narrowest-path",
		"min-reliability", "max-reliability", "max-cost", "reachability", "cdlp", "lcc", "triangles", "k-core", "scc", "betweenness"} {
		if a, err := algorithms.Lookup(name); err != nil || a.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if a, err := algorithms.Lookup("cc"); err != nil || a.Name != "wcc" {
		t.Errorf("the alias cc gives %v, %v", a, err)
	}
}

func TestLookup_Unknown(t *testing.T) {
	for name, want := range map[string]string{
		"pagernk":   `no algorithm is called "pagernk"; did you mean pagerank?`,
		"bsf":       `no algorithm is called "bsf"; did you mean bfs?`,
		"widestpth": `no algorithm is called "widestpth"; did you mean widest-path?`,
		"louvain":   `no algorithm is called "louvain"; there are: pagerank pagerank-delta`,
	} {
		_, err := algorithms.Lookup(name)
		var unknown *algorithms.UnknownAlgorithmError
		if !errors.As(err, &unknown) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Every entry says what it is, and has exactly one of the two ways to be computed.
func TestAll_IsComplete(t *testing.T) {
	var names []string
	for _, a := range algorithms.All() {
		names = append(append(names, a.Name), a.Aliases...)
		if a.Summary == "" || a.Source == "" || len(a.Result) == 0 || a.Oracle == nil || a.Verify == nil {
			t.Errorf("%s lacks something", a.Name)
		}
		if (a.Program == nil) == (a.Procedure == nil) {
			t.Errorf("%s has not exactly one of Program and Procedure", a.Name)
		}
		for _, p := range a.Params {
			if p.Doc == "" {
				t.Errorf("%s: parameter %s has no doc", a.Name, p.Name)
			}
		}
	}
	slices.Sort(names)
	if distinct := slices.Compact(slices.Clone(names)); len(distinct) != len(names) {
		t.Errorf("a name stands twice in %v", names)
	}
}
