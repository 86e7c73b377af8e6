package cpu_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
)

// positions is a graph without edges, whose vertices lie in clusters of a space.
func positions(random *rand.Rand, n, clusters, dimension int) *algorithms.Graph {
	ids := make([]int64, n)
	for v, at := range random.Perm(n) {
		ids[v] = int64(2*at + 1)
	}
	centers := make([]float64, clusters*dimension)
	for i := range centers {
		centers[i] = random.NormFloat64()
	}
	g := algorithms.NewGraph(true, ids, nil)
	at := algorithms.NewValues(algorithms.Column{Name: "at", Type: algorithms.Float, Each: dimension}, n)
	for v := range n {
		center := centers[random.IntN(max(clusters, 1))*dimension:]
		for k := range dimension {
			at.Floats[v*dimension+k] = center[k] + random.NormFloat64()/3
		}
	}
	g.Properties = map[string]algorithms.Values{"at": at}
	return g
}

// found runs an algorithm on positions, with 1 thread and with 4, whose results are the same.
func found(t *testing.T, g *algorithms.Graph, name string, params map[string]string) (*algorithms.Algorithm,
	algorithms.Args, []algorithms.Values) {
	t.Helper()
	a, err := catalog.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(params, oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	var first []algorithms.Values
	for _, threads := range []int{1, 4} {
		r := newRig(t, g, 8<<20)
		r.threads = threads
		if err := r.procedure(a, args); err != nil {
			t.Fatal(err)
		}
		if a.Procedure.Edgeless && len(r.plan.Directions) > 0 {
			t.Errorf("it asks for chunks %v", r.plan.Directions)
		}
		var got []algorithms.Values
		for _, c := range a.Columns(args) {
			got = append(got, r.column(c))
		}
		if first == nil {
			first = got
		}
		identical(t, got, first)
	}
	if err := a.Verify(g, args, first); err != nil {
		t.Fatal(err)
	}
	return a, args, first
}

// NN-descent finds nine of ten of the nearest, whatever the metric, of vectors in clusters.
func TestKNN_DescentFindsMost(t *testing.T) {
	random := testseed.Rand(t)
	for _, metric := range []string{"cosine", "euclidean", "pearson"} {
		g := positions(random, 300+random.IntN(500), 1+random.IntN(20), 4+random.IntN(16))
		params := map[string]string{"nodeProperties": "at", "similarityMetric": metric, "mode": "descent",
			"similarityCutoff": "-1", "randomJoins": "0", "seed": fmt.Sprint(random.IntN(1000))}
		a, args, got := found(t, g, "knn", params)
		want, err := a.Oracle(g, args)
		if err != nil {
			t.Fatal(err)
		}
		if share := recall(got, want); share < 0.9 {
			t.Errorf("%s: %.3f of the nearest of %d; expected 0.9", metric, share, g.N())
		}
	}
}

// recall is which part of the pairs that are wanted has been got.
func recall(got, want []algorithms.Values) float64 {
	met, all, width := 0, 0, want[0].Per()
	for v := range want[0].Vertices() {
		ids := map[int64]bool{}
		for _, id := range got[0].Ints[v*width : (v+1)*width] {
			ids[id] = true
		}
		for _, id := range want[0].Ints[v*width : (v+1)*width] {
			if id == algorithms.Unreached {
				continue
			}
			if all++; ids[id] {
				met++
			}
		}
	}
	return float64(met) / float64(max(all, 1))
}

// By brute force the result is the oracle's, of 0 to 300 vertices, to the bit.
func TestKNN_ExactIsExact(t *testing.T) {
	random := testseed.Rand(t)
	for _, n := range []int{0, 1, 2, 1 + random.IntN(60), random.IntN(301), 299, 300} {
		g := positions(random, n, 1+random.IntN(9), 1+random.IntN(30))
		at := g.Properties["at"].Floats
		for range random.IntN(1 + n) { // some are the same, some a little beside, some have no length
			from, to := random.IntN(n), random.IntN(n)
			width := len(at) / n
			copy(at[to*width:][:width], at[from*width:][:width])
			at[to*width] *= []float64{1, 1 + 0x1p-20, 0}[random.IntN(3)]
		}
		if width := len(at) / max(n, 1); n == 300 { // more are nearly the same than are kept at a time
			for v := 1; v < n; v++ {
				copy(at[v*width:][:width], at[:width])
				at[v*width] *= 1 + 0x1p-22*float64(random.IntN(3))
			}
		}
		params := map[string]string{"nodeProperties": "at", "mode": "exact", "topK": fmt.Sprint(1 + random.IntN(12)),
			"similarityMetric": []string{"cosine", "euclidean", "pearson"}[random.IntN(3)]}
		a, args, got := found(t, g, "knn", params)
		want, err := a.Oracle(g, args)
		if err != nil {
			t.Fatal(err)
		}
		if identical(t, got, want); t.Failed() {
			t.Fatalf("%d vertices, %v", n, params)
		}
	}
}

// Pairs are of and with the vertices that filters leave, also where these leave out whole blocks of vertices. With a
// target filter they are the nearest of all targets, whatever the mode.
func TestKNN_FiltersLeaveOutVertices(t *testing.T) {
	random := testseed.Rand(t)
	g := positions(random, 600+random.IntN(100), 1+random.IntN(9), 4)
	for _, name := range []string{"few", "half"} {
		marks := algorithms.NewValues(algorithms.Column{Name: name, Type: algorithms.Int}, g.N())
		for v := range marks.Ints {
			if name == "few" && v%200 == 17 || name == "half" && random.IntN(2) == 0 {
				marks.Ints[v] = 1
			}
		}
		g.Properties[name] = marks
	}
	for _, filter := range []map[string]string{
		{"sourceFilter": "few", "mode": "exact"}, {"sourceFilter": "half", "mode": "descent"},
		{"targetFilter": "few", "mode": "descent"}, {"sourceFilter": "half", "targetFilter": "few"},
		{"sourceFilter": "few", "targetFilter": "half"},
	} {
		params := map[string]string{"nodeProperties": "at", "topK": "3", "similarityCutoff": "-1"}
		maps.Copy(params, filter)
		a, args, got := found(t, g, "knn", params)
		want, err := a.Oracle(g, args)
		if err != nil {
			t.Fatal(err)
		}
		if pairs := a.Figures(got)[0]; pairs != a.Figures(want)[0] || pairs.Value == 0 {
			t.Errorf("%v: %v, expected %v", filter, pairs, a.Figures(want))
		}
	}
}
