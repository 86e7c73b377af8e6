package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/plugins"
)

// A long grid with shortcuts has more levels than lanes are good for.
func TestBetweenness_ManyLevels(t *testing.T) {
	a, err := catalog.Lookup("betweenness")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(2) {
		random := rand.New(rand.NewPCG(seed, 4))
		var edges []algorithms.Edge
		for v := range uint32(240) {
			edges = append(edges, algorithms.Edge{Src: v, Dst: (v + 1) % 240}, algorithms.Edge{Src: v, Dst: (v + 4) % 240})
			if random.IntN(3) == 0 {
				edges = append(edges, algorithms.Edge{Src: v, Dst: v}, algorithms.Edge{Src: v, Dst: (v + random.Uint32N(6)) % 240})
			}
		}
		g := algorithms.NewGraph(seed%2 == 0, shuffledIDs(random, 240), edges)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { compareProcedure(t, g, a) })
	}
}

// In a chain of cliques each level has many edges, and the sources are on different ones:
// levels go bottom up, again and again, until each source is searched from alone.
func TestBetweenness_LanesApart(t *testing.T) {
	a, err := catalog.Lookup("betweenness")
	if err != nil {
		t.Fatal(err)
	}
	const cliques, members = 5, 18
	for seed := range uint64(2) {
		random := rand.New(rand.NewPCG(seed, 5))
		var edges []algorithms.Edge
		for u := range uint32(cliques * members) {
			for v := range uint32(cliques * members) {
				if near := u/members == v/members || v == u+members; near && random.IntN(8) > 0 {
					edges = append(edges, algorithms.Edge{Src: u, Dst: v})
				}
			}
		}
		g := algorithms.NewGraph(false, shuffledIDs(random, cliques*members), edges)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { compareProcedure(t, g, a) })
	}
}

func shuffledIDs(random *rand.Rand, n int) []int64 {
	ids := make([]int64, n)
	for v, at := range random.Perm(n) {
		ids[v] = int64(at)
	}
	return ids
}

// A chain of double edges has 2¹¹⁰⁰ paths from end to end; many leaves at its start make
// it a tail of a shallow graph.
func TestBetweenness_TooManyPaths(t *testing.T) {
	a, err := catalog.Lookup("betweenness")
	if err != nil {
		t.Fatal(err)
	}
	for _, leaves := range []uint32{0, 3000} {
		var edges []algorithms.Edge
		for v := range uint32(1100) {
			edges = append(edges, algorithms.Edge{Src: v, Dst: v + 1}, algorithms.Edge{Src: v, Dst: v + 1})
		}
		for leaf := range leaves {
			edges = append(edges, algorithms.Edge{Src: 0, Dst: 1101 + leaf})
		}
		ids := make([]int64, 1101+leaves)
		for v := range ids {
			ids[v] = int64(v)
		}
		r := newRig(t, algorithms.NewGraph(false, ids, edges), 1<<20)
		err := r.procedure(a, algorithms.Args{Vertices: map[string][]int64{"source": {0}}})
		if plugins.KindOf(err) != plugins.KindUnsupported || !strings.Contains(fmt.Sprint(err), "more shortest paths") {
			t.Errorf("%d leaves: %v", leaves, err)
		}
	}
}

func TestBetweenness_UnknownSource(t *testing.T) {
	a, err := catalog.Lookup("betweenness")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, randomGraph(rand.New(rand.NewPCG(1, 1)), 20, 60, true), 1<<20)
	err = r.procedure(a, algorithms.Args{Directed: true, Vertices: map[string][]int64{"source": {1, 2}}})
	if plugins.KindOf(err) != plugins.KindInvalid {
		t.Errorf("source 2 is no id: %v", err)
	}
}
