package embedding_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// Vertex 0 adds up 0.1, 0.2 and -0.3 times the same vector. What rounding leaves of it is no direction.
func TestFastRP_RoundingIsNoDirection(t *testing.T) {
	a, err := catalog.Lookup("fastrp")
	if err != nil {
		t.Fatal(err)
	}
	g := &algorithms.Graph{Directed: true, IDs: []int64{0, 1, 2, 3, 4},
		Out: algorithms.Lists{Offsets: []int{0, 3, 4, 5, 6, 6}, Neighbors: []uint32{1, 2, 3, 4, 4, 4},
			Columns: map[string][]float64{"weight": {0.1, 0.2, -0.3, 1, 1, 1}}},
		In: algorithms.Lists{Offsets: []int{0, 0, 1, 2, 3, 6}, Neighbors: []uint32{0, 0, 0, 1, 2, 3},
			Columns: map[string][]float64{"weight": {0.1, 0.2, -0.3, 1, 1, 1}}}}
	args, err := a.Bind(map[string]string{"embeddingDimension": "8", "iterationWeights": "0,1", "weight": "weight"},
		oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	result, err := a.Oracle(g, args)
	if err != nil {
		t.Fatal(err)
	}
	for k, x := range result[0].Floats[:8] {
		if x != 0 {
			t.Errorf("number %d of vertex 0 is %v", k, x)
		}
	}
}

// lone is a graph of vertices without edges that have features.
func lone(each int, numbers ...float64) *algorithms.Graph {
	ids := make([]int64, len(numbers)/each)
	for v := range ids {
		ids[v] = int64(v)
	}
	g := algorithms.NewGraph(true, ids, nil)
	features := algorithms.NewValues(algorithms.Column{Name: "at", Type: algorithms.Float, Each: each}, g.N())
	copy(features.Floats, numbers)
	g.Properties = map[string]algorithms.Values{"at": features}
	return g
}

// begun is what vertices begin with, scaled to length 1.
func begun(t *testing.T, g *algorithms.Graph, params map[string]string) algorithms.Values {
	t.Helper()
	a, err := catalog.Lookup("fastrp")
	if err != nil {
		t.Fatal(err)
	}
	params["nodeSelfInfluence"], params["featureProperties"] = "1", "at"
	args, err := a.Bind(params, oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	result, err := a.Oracle(g, args)
	if err != nil {
		t.Fatal(err)
	}
	return result[0]
}

// The first numbers of what a vertex begins with are those that it has without features, up to scale; the last are in
// proportion to its features, and their sum where there are several.
func TestFastRP_FeaturesAddUp(t *testing.T) {
	g := lone(2, 1, 0, 0, 1, 3, -2, 0, 0)
	params := map[string]string{"embeddingDimension": "40", "propertyRatio": "0.3"}
	with := begun(t, g, params)
	params["propertyRatio"] = "0"
	without := begun(t, g, params)
	const signs, width = 28, 40
	part := func(v int) []float64 { // as it was before it was scaled: what is not 0 of the signs was 1
		row := with.Floats[v*width:][:width]
		k := slices.IndexFunc(row[:signs], func(x float64) bool { return x != 0 })
		scaled := make([]float64, width)
		for i, x := range row {
			scaled[i] = x / math.Abs(row[k])
		}
		for i, x := range scaled[:signs] {
			y := without.Floats[v*width+i]
			if math.Abs(x-math.Round(x)) > 1e-12 || x != 0 && x*y <= 0 || x == 0 && y != 0 {
				t.Errorf("number %d of vertex %d is %v, and %v without features", i, v, x, y)
			}
		}
		return scaled[signs:]
	}
	first, second, both, none := part(0), part(1), part(2), part(3)
	for k := range first {
		if want := 3*first[k] - 2*second[k]; math.Abs(both[k]-want) > 1e-9 || none[k] != 0 {
			t.Errorf("number %d of features is %v and %v, not %v and 0", k, both[k], none[k], want)
		}
	}
	if slices.Equal(first, second) || !slices.ContainsFunc(first, func(x float64) bool { return x == 1 || x == -1 }) {
		t.Errorf("the features have vectors %v and %v", first, second)
	}
}

// With 0.1, 0.2 and -0.3 of three features whose vectors are alike, rounding is all that is left.
func TestFastRP_RoundingOfFeaturesIsNoDirection(t *testing.T) {
	for seed := int64(1); ; seed++ {
		var vectors [3][1]float64
		for number := range vectors {
			embedding.FastRPFeatureSigns(number, seed, vectors[number][:])
		}
		if vectors[0] == vectors[1] && vectors[1] == vectors[2] && vectors[0][0] != 0 {
			result := begun(t, lone(3, 0.1, 0.2, -0.3, 0.1, 0.2, -0.4), map[string]string{"embeddingDimension": "1",
				"propertyRatio": "1", "seed": strconv.FormatInt(seed, 10)})
			if result.Floats[0] != 0 || result.Floats[1] != -vectors[0][0] {
				t.Errorf("by seed %d embeddings are %v", seed, result.Floats)
			}
			return
		}
	}
}

// A share of features is refused where there are none, and where it comes to no number.
func TestFastRP_ShareOfFeatures(t *testing.T) {
	a, err := catalog.Lookup("fastrp")
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []struct{ ratio, features, message string }{
		{"0.5", "", "featureProperties: is missing: by propertyRatio=0.5"},
		{"0.1", "at", "propertyRatio: is 0.1, which comes to none of 4 numbers"},
		{"1.5", "at", "propertyRatio=1.5: expected a number of at most 1"},
	} {
		params := map[string]string{"embeddingDimension": "4", "propertyRatio": wrong.ratio, "featureProperties": wrong.features}
		if wrong.features == "" {
			delete(params, "featureProperties")
		}
		_, err := a.Bind(params, oracletest.Env(lone(1, 1)))
		_, refused := errors.AsType[*algorithms.ParamError](err)
		if !refused || !strings.Contains(err.Error(), wrong.message) {
			t.Errorf("%v: %v", params, err)
		}
	}
	args, err := a.Bind(map[string]string{"featureProperties": "at"}, oracletest.Env(lone(1, 1)))
	if err != nil || len(a.VectorInputs(args)) > 0 {
		t.Errorf("without a share features are read: %v, %v", a.VectorInputs(args), err)
	}
}
