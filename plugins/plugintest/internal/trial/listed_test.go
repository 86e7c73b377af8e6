package trial

import (
	"errors"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/plugins"
)

// The suite wants what a device lists, and a refusal of all else.
func TestListed(t *testing.T) {
	for _, a := range catalog.All() {
		all := Listed(plugins.Description{}, a)
		bfs := Listed(plugins.Description{Programs: []string{"bfs"}, Procedures: []string{"lcc"}}, a)
		if all != (a.Procedure == nil) || bfs != (a.Name == "bfs" || a.Name == "lcc") {
			t.Errorf("%s: of a device that lists nothing %v, of one that lists bfs and lcc %v", a.Name, all, bfs)
		}
	}
}

func TestRefuses(t *testing.T) {
	if err := refuses(plugins.Errorf(plugins.KindUnsupported, "no")); err != nil {
		t.Error(err)
	}
	for _, err := range []error{nil, errors.New("no"), plugins.Errorf(plugins.KindInvalid, "no")} {
		if refuses(err) == nil {
			t.Errorf("%v counts as a refusal", err)
		}
	}
}

// What is expected is said of any ending.
func TestJudge_SaysWhatIsExpected(t *testing.T) {
	g := algorithms.NewGraph(true, []int64{1}, nil)
	bfs, err := catalog.Lookup("bfs")
	if err != nil {
		t.Fatal(err)
	}
	failure := errors.New("broken")
	for _, c := range []struct{ got, want error }{{failure, nil}, {nil, failure}, {failure, failure}} {
		err := Judge(bfs, g, algorithms.Args{}, nil, c.got, nil, c.want)
		if err == nil || strings.Contains(err.Error(), "%!") || !errors.Is(err, failure) {
			t.Errorf("ended with %v, expected %v: %v", c.got, c.want, err)
		}
	}
}
