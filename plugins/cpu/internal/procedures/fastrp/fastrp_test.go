package fastrp

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// One pass writes embeddings before others add to them: the first that counts, or the last if none does.
func TestPasses_OneIsFirst(t *testing.T) {
	for _, of := range []struct {
		self    float64
		weights []float64
		first   int
	}{{0, []float64{0, 1, 1}, 2}, {1, []float64{0, 1}, 0}, {0, []float64{0, 0}, 2}, {0, nil, 0}, {-1, []float64{0}, 0}} {
		all := passes(algorithms.Args{Floats: map[string]float64{"nodeSelfInfluence": of.self},
			Lists: map[string][]float64{"iterationWeights": of.weights}})
		got := slices.IndexFunc(all, func(c counts) bool { return c.first })
		if got != of.first || len(all) != len(of.weights)+1 {
			t.Errorf("%v, %v: pass %d of %d is first; expected %d of %d", of.self, of.weights, got, len(all), of.first,
				len(of.weights)+1)
		}
	}
}
