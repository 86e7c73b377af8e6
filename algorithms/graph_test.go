package algorithms_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/algorithms"
)

// Both directions hold every edge with its weight, lists ascend, and of an undirected
// graph they are the same lists.
func TestNewGraph_HoldsEveryEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		directed := rapid.Bool().Draw(t, "directed")
		vertex := rapid.Uint32Range(0, uint32(n-1))
		var edges []algorithms.Edge
		var out, in []halfEdge
		for i := range rapid.IntRange(0, 30).Draw(t, "edges") {
			e := algorithms.Edge{Src: vertex.Draw(t, "src"), Dst: vertex.Draw(t, "dst"),
				Weights: map[string]float64{"weight": float64(i)}}
			edges = append(edges, e)
			out = append(out, halfEdge{e.Src, e.Dst, float64(i)})
			in = append(in, halfEdge{e.Dst, e.Src, float64(i)})
		}
		if !directed {
			loop := func(h halfEdge) bool { return h.from == h.to }
			out = append(out, slices.DeleteFunc(in, loop)...)
			in = out
		}
		g := algorithms.NewGraph(directed, make([]int64, n), edges)
		check := func(lists algorithms.Lists, want []halfEdge) {
			if got := halfEdges(t, lists, n); !slices.Equal(got, sorted(want)) {
				t.Fatalf("got %v, want %v", got, sorted(want))
			}
		}
		check(g.Out, out)
		check(g.In, in)
	})
}

type halfEdge struct {
	from, to uint32
	weight   float64
}

func halfEdges(t *rapid.T, lists algorithms.Lists, n int) []halfEdge {
	var all []halfEdge
	for v := range n {
		if !slices.IsSorted(lists.Of(v)) || len(lists.Of(v)) != lists.Degree(v) {
			t.Fatalf("the list of %d is %v", v, lists.Of(v))
		}
		for k, u := range lists.Of(v) {
			all = append(all, halfEdge{uint32(v), u, lists.Columns["weight"][lists.Offsets[v]+k]})
		}
	}
	return sorted(all)
}

func sorted(edges []halfEdge) []halfEdge {
	return slices.SortedFunc(slices.Values(edges), func(a, b halfEdge) int {
		return slices.Compare([]float64{float64(a.from), float64(a.to), a.weight},
			[]float64{float64(b.from), float64(b.to), b.weight})
	})
}
