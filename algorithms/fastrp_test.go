package algorithms_test

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// Vertex 0 adds up 0.1, 0.2 and -0.3 times the same vector. What rounding leaves of it is no direction.
func TestFastRP_RoundingIsNoDirection(t *testing.T) {
	a, err := algorithms.Lookup("fastrp")
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
