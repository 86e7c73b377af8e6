package delta

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Versions of a list are what slices are, and later additions leave earlier versions alone.
func TestRuns_AreListsInVersions(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
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
}
