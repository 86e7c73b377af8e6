package dataset

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Exactly where no pair without an edge joins a vertex that edges lead from and one that they lead to, none can be
// drawn, and that is said at once. Else, what is drawn is such a pair.
func TestNegatives_Draw(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		directed := rapid.Bool().Draw(rt, "directed")
		n := rapid.Uint32Range(1, 6).Draw(rt, "vertices")
		var edges []Pair
		for range rapid.IntRange(0, 40).Draw(rt, "edges") {
			edges = append(edges, PairOf(rapid.Uint32Range(0, n-1).Draw(rt, "source"), rapid.Uint32Range(0, n-1).Draw(rt, "target"),
				directed))
		}
		slices.SortFunc(edges, func(a, b Pair) int { return int(a.Source*n+a.Target) - int(b.Source*n+b.Target) })
		var left []Pair
		for s := range n {
			for d := range n {
				p := PairOf(s, d, directed)
				isSource := func(e Pair) bool { return e.Source == s || !directed && e.Target == s }
				isTarget := func(e Pair) bool { return e.Target == d || !directed && e.Source == d }
				if s != d && !slices.Contains(edges, p) && slices.ContainsFunc(edges, isSource) &&
					slices.ContainsFunc(edges, isTarget) {
					left = append(left, p)
				}
			}
		}
		drawn, err := NewNegatives(edges, edges, directed).Draw(5, rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0)), nil)
		var none *NoNegativesError
		if errors.As(err, &none) != (len(left) == 0) || none != nil && none.Tried != 0 {
			rt.Fatalf("%v, where %v can be drawn", err, left)
		}
		for _, p := range drawn {
			if !slices.Contains(left, p) {
				rt.Errorf("%v was drawn, of %v", p, left)
			}
		}
	})
}

// Where a pair in a million has no edge, one gives up, and says how often was tried.
func TestNegatives_Few(t *testing.T) {
	var edges []Pair
	for s := range uint32(2000) {
		for d := range uint32(2000) {
			if s != d && (s != 7 || d != 8) {
				edges = append(edges, Pair{s, d})
			}
		}
	}
	_, err := NewNegatives(edges, edges, true).Draw(1000, rand.New(rand.NewPCG(1, 2)), nil)
	var few *NoNegativesError
	if !errors.As(err, &few) || few.Tried != mostTries || few.Sources != 2000 || few.Targets != 2000 {
		t.Error(err)
	}
}
