package paths_test

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// A product that becomes 0 only by rounding has no bound where a cycle makes it less and less, and has one on a path,
// or behind a weight of 0.
func TestMinReliability_Vanishing(t *testing.T) {
	for name, c := range map[string]struct {
		first, loop float64
		diverges    bool
	}{
		"a loop":              {first: 0.5, loop: 0.05, diverges: true},
		"a path":              {first: 0.5, loop: 1},
		"a loop behind a 0":   {first: 0, loop: 0.05},
		"a loop that is none": {first: 0, loop: 1},
	} {
		const n = 400
		ids := make([]int64, n)
		edge := func(u, v int, weight float64) algorithms.Edge {
			return algorithms.Edge{Src: uint32(u), Dst: uint32(v), Weights: map[string]float64{"weight": weight}}
		}
		edges := []algorithms.Edge{edge(0, 1, c.first), edge(1, 1, c.loop)}
		for v := range ids {
			if ids[v] = int64(v); v > 1 {
				edges = append(edges, edge(v-1, v, 0.1))
			}
		}
		g := algorithms.NewGraph(true, ids, edges)
		a, err := catalog.Lookup("min-reliability")
		if err != nil {
			t.Fatal(err)
		}
		args, err := a.Bind(map[string]string{"source": "0", "weight": "weight"}, oracletest.Env(g))
		if err != nil {
			t.Fatal(err)
		}
		result, err := a.Oracle(g, args)
		if _, diverged := errors.AsType[*algorithms.DivergedError](err); diverged != c.diverges {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && result[0].Floats[n-1] != 0 {
			t.Errorf("%s: the last has %v", name, result[0].Floats[n-1])
		}
	}
}
