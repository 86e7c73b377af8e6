package dataflow_test

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/testseed"
)

// What a Builder makes fits together; what has another width, place or order than that does not.
func TestCheck(t *testing.T) {
	r := testseed.Rand(t)
	for range 50 {
		p := neuraltest.Grow(r, r.IntN(2) == 0, neuraltest.RandomData(r))
		if err := dataflow.Check(p.Values); err != nil {
			t.Fatal(err)
		}
		for i, v := range p.Values {
			if len(v.Args) == 0 {
				continue
			}
			for name, changed := range changes(*v) {
				values := slices.Clone(p.Values)
				if values[i] = &changed; dataflow.Check(values) == nil {
					t.Errorf("%v passes %s: %v", v, name, &changed)
				}
			}
		}
		slices.Reverse(p.Values)
		if dataflow.Check(p.Values) == nil {
			t.Error("what values are made of may come after them")
		}
	}
}

// changes are values that are almost v, and cannot be.
func changes(v dataflow.Value) map[string]dataflow.Value {
	all := map[string]dataflow.Value{}
	if v.Op != dataflow.Part && v.Op != dataflow.Spread && v.Op != dataflow.SumParts {
		wider := v
		wider.Width += 3
		all["wider"] = wider
	}
	placed := v
	placed.Place = (v.Place + 1) % 3
	all["elsewhere"] = placed
	longer := v
	longer.Args = append(slices.Clone(v.Args), v.Args[0], v.Args[0])
	all["of more"] = longer
	return all
}
