package cpu_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Where many paths cost the same, some edges nothing, and places are those of the vertices, each way of searching finds
// the same paths.
func TestShortestPaths_AmongMany(t *testing.T) {
	random := testseed.Rand(t)
	a, err := catalog.Lookup("shortest-paths")
	if err != nil {
		t.Fatal(err)
	}
	for i := range map[bool]int{false: 20, true: 200}[long.Tests()] {
		g := streets(random, i%2 == 0)
		one := func() string { return strconv.FormatInt(g.IDs[random.IntN(g.N())], 10) }
		for _, params := range []map[string]string{
			{"target": one()}, {"target": one(), "x": "x", "y": "y"}, {"target": one(), "latitude": "y", "longitude": "x"},
			{}, {"k": "2"}, {"target": one(), "k": "7"}, {"target": oracletest.Vertices(random, g)},
			{"target": oracletest.Vertices(random, g), "k": "3", "y": "y"},
		} {
			params["source"] = oracletest.Vertices(random, g)
			args, err := a.Bind(params, oracletest.Env(g))
			if err != nil {
				t.Fatal(err)
			}
			if compareWith(t, g, a, args); t.Failed() {
				t.Fatalf("graph %d, %v", i, params)
			}
		}
	}
}

// streets are crossings in up to 7 rows of 7, with places, joined by streets whose lengths are whole or, some, nothing.
func streets(random *rand.Rand, directed bool) *algorithms.Graph {
	across, down := 1+random.IntN(7), 1+random.IntN(7)
	ids := make([]int64, across*down)
	x := algorithms.NewValues(algorithms.Column{Name: "x", Type: algorithms.Float}, len(ids))
	y := algorithms.NewValues(algorithms.Column{Name: "y", Type: algorithms.Float}, len(ids))
	var edges []algorithms.Edge
	join := func(v, u int) {
		weight := float64(1 + random.IntN(2))
		if random.IntN(40) == 0 {
			weight = 0
		}
		e := algorithms.Edge{Src: uint32(v), Dst: uint32(u), Weights: map[string]float64{"weight": weight}}
		if edges = append(edges, e); directed && random.IntN(4) > 0 {
			e.Src, e.Dst = e.Dst, e.Src
			edges = append(edges, e)
		}
	}
	for v, p := range random.Perm(len(ids)) {
		ids[v], x.Floats[v], y.Floats[v] = int64(p), float64(v%across), float64(v/across)
		if v%across > 0 {
			join(v, v-1)
		}
		if v >= across {
			join(v, v-across)
		}
	}
	g := algorithms.NewGraph(directed, ids, edges)
	g.Properties = map[string]algorithms.Values{"x": x, "y": y}
	return g
}

// The result has room for so many vertices, and no more are written.
func TestShortestPaths_TooMany(t *testing.T) {
	const n, ends = 3000, 64
	ids, edges := make([]int64, n), make([]algorithms.Edge, n-1)
	var names [2][]string
	for v := range ids {
		if ids[v] = int64(v); v > 0 {
			edges[v-1] = algorithms.Edge{Src: uint32(v - 1), Dst: uint32(v)}
		}
		if v < ends {
			names[0], names[1] = append(names[0], strconv.Itoa(v)), append(names[1], strconv.Itoa(n-1-v))
		}
	}
	g := algorithms.NewGraph(true, ids, edges)
	a, err := catalog.Lookup("shortest-paths")
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(map[string]string{"source": strings.Join(names[0], ","), "target": strings.Join(names[1], ",")},
		oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, g, 1<<27)
	if err := r.procedure(a, args); err == nil || !strings.Contains(err.Error(), "more than 4194304 vertices in all") {
		t.Errorf("%d paths of about %d vertices: %v", ends*ends, n, err)
	}
}
