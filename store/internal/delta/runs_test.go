package delta

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Versions of a list are what slices are, and later additions leave earlier versions alone.
func TestRuns_AreListsInVersions(t *testing.T) {
	r := testseed.Rand(t)
	type version struct {
		runs runs[int]
		want []int
	}
	versions := []version{{}}
	for i := range 300 {
		next := versions[r.IntN(len(versions))]
		next.want = slices.Clone(next.want)
		o := new(owner)
		for j := range r.IntN(60) {
			next.runs.add(o, 100*i+j)
			next.want = append(next.want, 100*i+j)
		}
		versions = append(versions, next)
	}
	for _, v := range versions {
		var got []int
		v.runs.all(func(e int) bool { got = append(got, e); return true })
		slices.Sort(got)
		slices.Sort(v.want)
		if !slices.Equal(got, v.want) {
			t.Fatalf("the list is %v, not %v", got, v.want)
		}
	}
	more := versions[len(versions)-1].runs.all(func(int) bool { return false })
	if more != (len(versions[len(versions)-1].want) == 0) {
		t.Error("a reader who wants no more is given more")
	}
	if !versions[0].runs.all(func(int) bool { return false }) {
		t.Error("the reader of an empty list has had enough")
	}
}

// chain is how many entries the runs of a list have, the newest first.
func chain(r runs[int]) (lengths []int) {
	for run := r.last; run != nil; run = run.before {
		lengths = append(lengths, len(run.entries))
	}
	return lengths
}

// A run of fewer than shortRun entries is copied into the next version's; a longer one is linked to.
func TestRuns_ShortOnesAreCopied(t *testing.T) {
	var r runs[int]
	for i := range shortRun + 2 {
		if r.add(new(owner), i); i < shortRun && len(chain(r)) != 1 {
			t.Fatalf("after %d versions the runs have %v entries", i+1, chain(r))
		}
	}
	if got := chain(r); !slices.Equal(got, []int{2, shortRun}) {
		t.Errorf("the runs have %v entries", got)
	}
	if !r.all(func(int) bool { return true }) {
		t.Error("a reader of everything has had enough")
	}
}
