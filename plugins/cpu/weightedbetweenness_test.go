package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// Betweenness by weights is what its definition says: of weights of which many sums are equal, and of such whose sums
// are rounded. It is tested with loops, parallel edges, sources named and drawn.
func TestBetweenness_Weights(t *testing.T) {
	a, err := catalog.Lookup("betweenness")
	if err != nil {
		t.Fatal(err)
	}
	for name, weight := range map[string]func(*rand.Rand) float64{
		"few":     func(random *rand.Rand) float64 { return float64(1 + random.IntN(3)) },
		"rounded": func(random *rand.Rand) float64 { return float64(1+random.IntN(9)) / 10 },
		"any":     func(random *rand.Rand) float64 { return math.Exp(4 * random.NormFloat64()) },
	} {
		t.Run(name, func(t *testing.T) {
			random := testseed.Rand(t)
			for range map[bool]int{false: 20, true: 200}[long.Tests()] {
				g := oracletest.RandomGraph(random, oracletest.Config{MaxVertices: 1 + random.IntN(60),
					Directed: random.IntN(2) == 0, Weight: weight})
				if len(g.EdgeColumns()) == 0 {
					continue
				}
				params := oracletest.Params(random, a, g, false)
				params["weight"] = "weight"
				args, err := a.Bind(params, oracletest.Env(g))
				if err != nil {
					t.Fatal(err)
				}
				if compareWith(t, g, a, args); t.Failed() {
					t.Fatalf("%+v, %v", g, params)
				}
			}
		})
	}
}

// Where all weigh the same, however little, it is the betweenness without weights.
func TestBetweenness_EqualWeights(t *testing.T) {
	a, err := catalog.Lookup("betweenness")
	if err != nil {
		t.Fatal(err)
	}
	random := testseed.Rand(t)
	for range 5 {
		g := oracletest.RandomGraph(random, oracletest.Config{MaxVertices: 40, Directed: random.IntN(2) == 0,
			Weight: func(*rand.Rand) float64 { return math.SmallestNonzeroFloat64 }})
		if len(g.EdgeColumns()) == 0 {
			continue
		}
		var found []algorithms.Values
		for _, weight := range []string{"", "weight"} {
			r := newRig(t, g, 1<<20)
			args := algorithms.Args{Directed: g.Directed, Strings: map[string]string{"weight": weight}}
			if err := r.procedure(a, args); err != nil {
				t.Fatal(err)
			}
			found = append(found, r.column(a.Result[0]))
		}
		near(t, "equal weights", found[1], found[0])
	}
}

// What has no shortest paths is refused, by the vertex and the weight.
func TestBetweenness_WrongWeights(t *testing.T) {
	a, err := catalog.Lookup("betweenness")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		weights []float64 // of the edges of a path
		want    string
	}{
		{[]float64{1, 0, 1}, "an edge of vertex 11 weighs 0; betweenness needs finite weights above 0"},
		{[]float64{1, 1, -2}, "an edge of vertex 12 weighs -2; betweenness needs finite weights above 0"},
		{[]float64{math.NaN(), 1, 1}, "an edge of vertex 10 weighs NaN; betweenness needs finite weights above 0"},
		{[]float64{1, 1, math.Inf(1)}, "an edge of vertex 12 weighs +Inf; betweenness needs finite weights above 0"},
		{[]float64{1, 1e308, 1}, "the sum of 4 such weights, as of betweenness, is more than a number can be"},
		{[]float64{1, 1e20, 1}, "an edge of vertex 12 weighs 1, which is lost in the sum of 1e+20 that a path has there"},
	} {
		var edges []algorithms.Edge
		for v, w := range c.weights {
			edges = append(edges, algorithms.Edge{Src: uint32(v), Dst: uint32(v + 1), Weights: map[string]float64{"weight": w}})
		}
		r := newRig(t, algorithms.NewGraph(true, []int64{10, 11, 12, 13}, edges), 1<<20)
		err := r.procedure(a, algorithms.Args{Directed: true, Strings: map[string]string{"weight": "weight"}})
		if plugins.KindOf(err) != plugins.KindInvalid || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("weights %v: %v; expected %q", c.weights, err, c.want)
		}
		_, oracle := a.Oracle(r.graph, algorithms.Args{Directed: true, Strings: map[string]string{"weight": "weight"}})
		if oracle == nil && !strings.Contains(c.want, "such weights") {
			t.Errorf("weights %v: the oracle has a result", c.weights)
		}
	}
}

// A loop is on no shortest path, also where its weight is nothing beside the path before it.
func TestBetweenness_LostLoop(t *testing.T) {
	a, err := catalog.Lookup("betweenness")
	if err != nil {
		t.Fatal(err)
	}
	var edges []algorithms.Edge
	for _, e := range [][3]float64{{0, 1, 1e20}, {1, 1, 1}, {1, 2, 1e20}, {2, 3, 1e20}} {
		weights := map[string]float64{"weight": e[2]}
		edges = append(edges, algorithms.Edge{Src: uint32(e[0]), Dst: uint32(e[1]), Weights: weights})
	}
	compareWith(t, algorithms.NewGraph(true, []int64{4, 5, 6, 7}, edges), a,
		algorithms.Args{Directed: true, Strings: map[string]string{"weight": "weight"}})
}

// A chain of double edges has 2^1100 shortest paths from end to end.
func TestBetweenness_TooManyWeightedPaths(t *testing.T) {
	a, err := catalog.Lookup("betweenness")
	if err != nil {
		t.Fatal(err)
	}
	var edges []algorithms.Edge
	ids := make([]int64, 1101)
	for v := range uint32(1100) {
		e := algorithms.Edge{Src: v, Dst: v + 1, Weights: map[string]float64{"weight": 2}}
		edges, ids[v+1] = append(edges, e, e), int64(v+1)
	}
	r := newRig(t, algorithms.NewGraph(false, ids, edges), 1<<20)
	err = r.procedure(a, algorithms.Args{Strings: map[string]string{"weight": "weight"}})
	if plugins.KindOf(err) != plugins.KindUnsupported || !strings.Contains(fmt.Sprint(err), "more shortest paths") {
		t.Errorf("%v", err)
	}
}
