package paths_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// The oracle's paths are the first of all that there are, on graphs of up to 9 vertices with many ties.
func TestShortestPaths_AreTheLeastOfAll(t *testing.T) {
	r := testseed.Rand(t)
	a, err := catalog.Lookup("shortest-paths")
	if err != nil {
		t.Fatal(err)
	}
	for i := range map[bool]int{false: 60, true: 1000}[long.Tests()] {
		g := tied(r, i%2 == 0)
		source, target := g.IDs[r.IntN(g.N())], g.IDs[r.IntN(g.N())]
		k := 1 + r.IntN(12)
		args, err := a.Bind(map[string]string{"source": strconv.FormatInt(source, 10),
			"target": strconv.FormatInt(target, 10), "k": strconv.Itoa(k)}, oracletest.Env(g))
		if err != nil {
			t.Fatal(err)
		}
		result, err := a.Oracle(g, args)
		if err != nil {
			t.Fatal(err)
		}
		all := simplePaths(g, []int64{source}, 0, target)
		slices.SortFunc(all, func(p, q simplePath) int {
			return cmp.Or(cmp.Compare(p.cost, q.cost), cmp.Compare(len(p.ids), len(q.ids)), slices.Compare(p.ids, q.ids))
		})
		var want []int64
		for _, p := range all[:min(k, len(all))] {
			want = append(append(want, p.ids...), algorithms.Unreached)
		}
		for len(want) < result[0].Len() {
			want = append(want, algorithms.Unreached)
		}
		if !slices.Equal(result[0].Ints, want) {
			t.Fatalf("graph %d: %+v from %d to %d: %v; expected %v", i, g, source, target, result[0].Ints, want)
		}
	}
}

// tied is a small graph, some of whose edges weigh nothing and many as much as others, with loops and parallel edges.
func tied(r *rand.Rand, directed bool) *algorithms.Graph {
	ids := make([]int64, 1+r.IntN(9))
	for v, p := range r.Perm(len(ids)) {
		ids[v] = int64(7 * p)
	}
	var edges []algorithms.Edge
	for range r.IntN(1 + 3*len(ids)) {
		edges = append(edges, algorithms.Edge{Src: uint32(r.IntN(len(ids))), Dst: uint32(r.IntN(len(ids))),
			Weights: map[string]float64{"weight": float64(r.IntN(4)) / 2}})
	}
	return algorithms.NewGraph(directed, ids, edges)
}

type simplePath struct {
	ids  []int64
	cost float64
}

// simplePaths are all paths to the target that begin as p does.
func simplePaths(g *algorithms.Graph, p []int64, cost float64, target int64) (all []simplePath) {
	last := p[len(p)-1]
	if last == target {
		return []simplePath{{slices.Clone(p), cost}}
	}
	v, lightest := slices.Index(g.IDs, last), map[int64]float64{}
	for i, u := range g.Out.Of(v) {
		weight := 1.0
		if weights := g.Out.Columns["weight"]; weights != nil {
			weight = weights[g.Out.Offsets[v]+i]
		}
		if before, known := lightest[g.IDs[u]]; !known || weight < before {
			lightest[g.IDs[u]] = weight
		}
	}
	for id, weight := range lightest {
		if !slices.Contains(p, id) {
			all = append(all, simplePaths(g, append(slices.Clip(p), id), cost+weight, target)...)
		}
	}
	return all
}

// Where a large weight swallows what differs before it, either path will do; where sums are exact, only the least.
func TestShortestPaths_VerifyWhatIsRounded(t *testing.T) {
	a, err := catalog.Lookup("shortest-paths")
	if err != nil {
		t.Fatal(err)
	}
	for _, last := range []float64{1, 1 << 40, math.Ldexp(1, 80)} {
		// 1 to 4 by 2 for 3, by 3 for 4, and the last edge.
		g := algorithms.NewGraph(true, []int64{1, 2, 3, 4, 5}, []algorithms.Edge{
			{Src: 0, Dst: 1, Weights: map[string]float64{"weight": 1}},
			{Src: 0, Dst: 2, Weights: map[string]float64{"weight": 2}},
			{Src: 1, Dst: 3, Weights: map[string]float64{"weight": 2}},
			{Src: 2, Dst: 3, Weights: map[string]float64{"weight": 2}},
			{Src: 3, Dst: 4, Weights: map[string]float64{"weight": last}}})
		args, err := a.Bind(map[string]string{"source": "1", "target": "5"}, oracletest.Env(g))
		if err != nil {
			t.Fatal(err)
		}
		result, err := a.Oracle(g, args)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Verify(g, args, result); err != nil {
			t.Errorf("the last edge weighs %v: %v", last, err)
		}
		result[0].Ints[1] = 3
		copy(result[1].Floats[1:], []float64{2, 4, 4 + last})
		if err := a.Verify(g, args, result); (err == nil) != (last > 1<<53) {
			t.Errorf("the last edge weighs %v; a path by 3 instead of 2: %v", last, err)
		}
		result[0].Ints[0] = 2
		if err := a.Verify(g, args, result); err == nil {
			t.Errorf("the last edge weighs %v; a path from 2 to 3, where there is no edge, is right", last)
		}
	}
}
