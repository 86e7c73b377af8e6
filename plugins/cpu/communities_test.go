package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/community"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
)

// planted is a graph of communities of 50 vertices, each with about 10 edges within and 2 to others.
func planted(random *rand.Rand, communities int) *algorithms.Graph {
	const size = 50
	n := communities * size
	ids := make([]int64, n)
	var edges []algorithms.Edge
	for v := range n {
		ids[v] = int64(v)
		first := v - v%size
		for range 5 {
			edges = append(edges, algorithms.Edge{Src: uint32(v), Dst: uint32(first + random.IntN(size))})
		}
		edges = append(edges, algorithms.Edge{Src: uint32(v), Dst: uint32(random.IntN(n))})
	}
	return algorithms.NewGraph(false, ids, edges)
}

// Communities that were planted are found, where vertices are decided on in batches: the same by any number of threads,
// and others by another seed.
func TestCommunities_FindsPlantedOnes(t *testing.T) {
	g := planted(testseed.Rand(t), 300)
	for _, name := range []string{"louvain", "leiden"} {
		var first []algorithms.Values
		for _, c := range []struct {
			threads int
			seed    string
		}{{1, "1"}, {3, "1"}, {2, "2"}} {
			got := communitiesOf(t, g, name, c.threads, map[string]string{"seed": c.seed})
			if q := total(got[1].Floats); q < 0.8 {
				t.Errorf("%s: modularity %v; the planted communities have about 0.83", name, q)
			}
			switch {
			case first == nil:
				first = got
			case c.seed == "1":
				identical(t, got, first)
			case fmt.Sprint(got[0].Ints) == fmt.Sprint(first[0].Ints):
				t.Errorf("%s: the same communities by another seed", name)
			}
		}
	}
}

// communitiesOf runs an algorithm and verifies its result.
func communitiesOf(t *testing.T, g *algorithms.Graph, name string, threads int,
	params map[string]string) (got []algorithms.Values) {
	t.Helper()
	a, err := catalog.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(params, oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, g, 16<<20)
	r.threads, r.stripes = threads, threads
	if err := r.procedure(a, args); err != nil {
		t.Fatal(err)
	}
	for _, c := range a.Columns(args) {
		got = append(got, r.column(c))
	}
	if err := a.Verify(g, args, got); err != nil {
		t.Errorf("%s %v: %v", name, params, err)
	}
	return got
}

func total(values []float64) (sum float64) {
	for _, x := range values {
		sum += x
	}
	return sum
}

// Of the best partition of Zachary's karate club is known that its modularity is 0.4198 (Brandes et al., "On modularity
// clustering", 2008). Leiden finds it by some seed of few, and never a better one.
func TestCommunities_OfTheKarateClub(t *testing.T) {
	g, best := karate(), 0.0
	for seed := range 10 {
		params := map[string]string{"seed": fmt.Sprint(seed), "tolerance": "0"}
		best = max(best, total(communitiesOf(t, g, "leiden", 1, params)[1].Floats))
		if q := total(communitiesOf(t, g, "louvain", 1, params)[1].Floats); q < 0.38 || q > 0.41979 {
			t.Errorf("louvain, seed %d: modularity %v", seed, q)
		}
	}
	if best < 0.41978 || best > 0.41979 {
		t.Errorf("leiden: modularity %v; the best there is has 0.419790", best)
	}
}

// karate is Zachary's karate club: of each member, the friends of lower number.
func karate() *algorithms.Graph {
	friends := [][]uint32{{}, {0}, {0, 1}, {0, 1, 2}, {0}, {0}, {0, 4, 5}, {0, 1, 2, 3}, {0, 2}, {2}, {0, 4, 5}, {0},
		{0, 3},
		{0, 1, 2, 3}, {}, {}, {5, 6}, {0, 1}, {}, {0, 1}, {}, {0, 1}, {}, {}, {}, {23, 24}, {}, {2, 23, 24}, {2}, {23, 26},
		{1, 8}, {0, 24, 25, 28}, {2, 8, 14, 15, 18, 20, 22, 23, 29, 30, 31},
		{8, 9, 13, 14, 15, 18, 19, 20, 22, 23, 26, 27, 28, 29, 30, 31, 32}}
	var edges []algorithms.Edge
	ids := make([]int64, len(friends))
	for v, list := range friends {
		ids[v] = int64(v + 1)
		for _, u := range list {
			edges = append(edges, algorithms.Edge{Src: u, Dst: uint32(v)})
		}
	}
	return algorithms.NewGraph(false, ids, edges)
}

// Leiden's communities are connected where it is stopped after one level, too.
func TestCommunities_OfLeidenAreConnected(t *testing.T) {
	random := testseed.Rand(t)
	for range 300 {
		var edges []algorithms.Edge
		n := 10 + random.IntN(40)
		for range 2 * n {
			w := random.ExpFloat64()
			edges = append(edges, algorithms.Edge{Src: uint32(random.IntN(n)), Dst: uint32(random.IntN(n)),
				Weights: map[string]float64{"weight": w * w}})
		}
		ids := make([]int64, n)
		for v := range ids {
			ids[v] = int64(v)
		}
		g := algorithms.NewGraph(random.IntN(2) == 0, ids, edges)
		if communitiesOf(t, g, "leiden", 1, map[string]string{"levels": "1", "resolution": "0.3"}); t.Failed() {
			return
		}
	}
}

// What is told of levels is what they are, by their definition, whatever vertices begin with and however many there
// may be: the same by any number of threads.
func TestCommunities_OfEachLevel(t *testing.T) {
	random := testseed.Rand(t)
	for i := range 200 {
		g := oracletest.RandomGraph(random, oracletest.Config{MaxVertices: 80, Directed: i%2 == 0, Unweighted: i%3 == 0})
		params := map[string]string{"intermediate": fmt.Sprint(1 + random.IntN(6)), "seed": fmt.Sprint(i)}
		if i%4 > 1 {
			params["seedProperty"] = "group"
		}
		if i%5 == 0 {
			params["levels"] = fmt.Sprint(1 + random.IntN(3))
		}
		name := []string{"louvain", "leiden"}[i/4%2]
		levels := levelsOf(communitiesOf(t, g, name, 1+i%3, params))
		if most := params["levels"]; most != "" && fmt.Sprint(levels) > most {
			t.Errorf("%s %v: %d levels", name, params, levels)
		}
		if t.Failed() {
			return
		}
	}
	g := planted(random, 300)
	for _, name := range []string{"louvain", "leiden"} {
		params := map[string]string{"intermediate": "20"}
		got := communitiesOf(t, g, name, 1, params)
		identical(t, communitiesOf(t, g, name, 3, params), got)
		if levels := levelsOf(got); levels < 2 {
			t.Errorf("%s: %d levels", name, levels)
		}
	}
}

// levelsOf is how many levels are told of.
func levelsOf(result []algorithms.Values) (count int) {
	if len(result[2].Ints) == 0 {
		return 0
	}
	for _, name := range result[2].Ints[:result[2].Each] {
		if name != algorithms.Unreached {
			count++
		}
	}
	return count
}

// Communities keep the name of the seed that most of their vertices have, and others have names above all seeds.
func TestCommunities_AreCalledBySeeds(t *testing.T) {
	g, officers := karate(), officers()
	seeds := algorithms.NewValues(algorithms.Column{Name: "faction", Type: algorithms.Int}, g.N())
	for v := range seeds.Ints {
		if seeds.Ints[v] = 70; officers[v] {
			seeds.Ints[v] = community.NoSeed
		}
	}
	g.Properties = map[string]algorithms.Values{"faction": seeds}
	for _, name := range []string{"louvain", "leiden"} {
		got := communitiesOf(t, g, name, 1, map[string]string{"seedProperty": "faction"})[0].Ints
		found := map[int64]int{}
		for v, community := range got {
			if found[community]++; community < 70 {
				t.Errorf("%s: vertex %d is in community %d", name, v, community)
			}
		}
		if found[70] == 0 || len(found) < 2 {
			t.Errorf("%s: communities %v; expected one with the name 70, and others", name, found)
		}
	}
}
