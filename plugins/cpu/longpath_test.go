package cpu_test

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/long"
)

// A path of 1,000,000 vertices is as deep as a search can get: no search may recurse.
func TestProcedures_OnALongPath(t *testing.T) {
	long.Unraced(t)
	const last = 999_999
	g := pathGraph(last)
	for name, want := range map[string]func(v int, result []algorithms.Values) bool{
		"articulation-points": func(v int, result []algorithms.Values) bool {
			return result[0].Bools[v] == (v > 0 && v < last)
		},
		"bridges": func(v int, result []algorithms.Values) bool {
			return v == 0 && result[0].Ints[v] == algorithms.Unreached || result[0].Ints[v] == int64(v-1)
		},
		"biconnected-components": func(v int, result []algorithms.Values) bool { // each edge is one
			return v == 0 && result[0].Ints[v] == algorithms.Unreached ||
				result[0].Ints[v] == int64(v) && result[1].Ints[v] == int64(v-1)
		},
		"k1-coloring": func(v int, result []algorithms.Values) bool {
			alone := result[0].Ints[v] != result[0].Ints[max(v, 1)-1]
			return result[0].Ints[v] < 3 && (v == 0 || alone)
		},
		"k-truss":  func(v int, result []algorithms.Values) bool { return result[0].Ints[v] == 2 },
		"diameter": func(_ int, result []algorithms.Values) bool { return result[0].Ints[0] == last },
		"eccentricity": func(v int, result []algorithms.Values) bool {
			return result[0].Ints[v] == int64(max(v, last-v))
		},
		"topological-sort": func(v int, result []algorithms.Values) bool {
			return result[0].Ints[v] == int64(v) && result[1].Ints[v] == int64(v)
		},
		"longest-path": func(v int, result []algorithms.Values) bool {
			return v == 0 && result[1].Ints[v] == algorithms.Unreached || result[1].Ints[v] == int64(v-1)
		},
		"spanning-forest": func(v int, result []algorithms.Values) bool {
			return v == 0 && result[0].Ints[v] == algorithms.Unreached || result[0].Ints[v] == int64(v-1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			result := unverified(t, g, name)
			for v := range g.N() {
				if !want(v, result) {
					t.Fatalf("vertex %d: %v", v, result[0].Column)
				}
			}
		})
	}
}

// unverified runs an algorithm with default parameters.
func unverified(t *testing.T, g *algorithms.Graph, name string) (result []algorithms.Values) {
	t.Helper()
	a, err := catalog.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(nil, algorithms.Env{Directed: g.Directed, EdgeColumns: g.EdgeColumns()})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, g, 256<<20)
	if err := r.procedure(a, args); err != nil {
		t.Fatal(err)
	}
	for _, c := range a.Columns(args) {
		result = append(result, r.column(c))
	}
	return result
}
