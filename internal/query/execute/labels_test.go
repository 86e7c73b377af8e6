package execute_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// labelTest is a random test of labels, as it is written, and what it says of nodes.
func labelTest(rnd *rand.Rand, depth int) (text string, holds func(labels []string) bool) {
	if depth == 0 || rnd.IntN(4) == 0 {
		label := pick(rnd, "A", "B", "C", "Nobody")
		return label, func(labels []string) bool { return slices.Contains(labels, label) }
	}
	a, left := labelTest(rnd, depth-1)
	b, right := labelTest(rnd, depth-1)
	switch rnd.IntN(5) {
	case 0:
		return "!(" + a + ")", func(labels []string) bool { return !left(labels) }
	case 1:
		return "(" + a + ")&(" + b + ")", func(labels []string) bool { return left(labels) && right(labels) }
	}
	return "(" + a + ")|(" + b + ")", func(labels []string) bool { return left(labels) || right(labels) }
}

// Whatever a pattern says of labels, it finds the nodes that it says, each once and in the order of their ids: as
// changes, in the base, and both.
func TestLabelTests_FindNodes(t *testing.T) {
	rnd, w := testseed.Rand(t), newWorld(t)
	var nodes [][]string
	grow := func() {
		for range 40 {
			var labels []string
			text := ""
			for _, label := range []string{"A", "B", "C", "D"} {
				if rnd.IntN(3) == 0 {
					labels, text = append(labels, label), text+":"+label
				}
			}
			w.run(fmt.Sprintf("CREATE (%s {n: %d})", text, len(nodes)))
			nodes = append(nodes, labels)
		}
	}
	compare := func() {
		t.Helper()
		for range 60 {
			text, holds := labelTest(rnd, 3)
			want := []string{}
			for n, labels := range nodes {
				if holds(labels) {
					want = append(want, fmt.Sprintf("[%d]", n))
				}
			}
			if got := w.run("MATCH (a:" + text + ") RETURN a.n"); !slices.Equal(got, want) {
				t.Errorf("%s: %v, not %v\n%s", text, got, want, w.explain("MATCH (a:"+text+") RETURN a.n"))
			}
		}
	}
	grow()
	compare()
	if _, err := w.db.Compact(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	compare()
	grow()
	w.run("MATCH (a {n: 3}) REMOVE a:A:B SET a:C")
	nodes[3] = append(slices.DeleteFunc(nodes[3], func(l string) bool { return l != "D" }), "C")
	compare()
}

// Of (a:A|B) only nodes with one of the labels are looked at.
func TestEitherLabel_ScansBoth(t *testing.T) {
	w := newWorld(t)
	w.run("UNWIND range(1, 500) AS i CREATE (:Other)")
	w.run("UNWIND range(1, 20) AS i CREATE (:A), (:B), (:A:B)")
	for _, match := range []string{"MATCH (a:A|B)", "MATCH (a) WHERE a:A OR a:B", "MATCH (a:(A|B)&!C)",
		"MATCH (a:(A&B)|(B&!C)|A)"} {
		_, counters, err := w.try(t.Context(), "PROFILE "+match+" RETURN a")
		if err != nil {
			t.Fatal(err)
		}
		most := int64(0)
		for _, o := range counters.Operators {
			most = max(most, o.Rows)
		}
		if most != 60 {
			t.Errorf("%s: %d nodes are found, 60 have a label of it\n%s", match, most, w.explain(match+" RETURN a"))
		}
	}
}

// A count over either label is computed on all processors, too, and each node counts once.
func TestEitherLabel_Divided(t *testing.T) {
	w := newWorld(t)
	w.run("UNWIND range(1, 12000) AS i CREATE (:A), (:B), (:A:B), (:Other)")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	if got := w.read("MATCH (a:A|B) RETURN count(*)"); got[0] != "[36000]" {
		t.Errorf("%v nodes are counted", got)
	}
}
