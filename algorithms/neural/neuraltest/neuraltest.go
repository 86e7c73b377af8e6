// Package neuraltest has what tests of dataflows share: random graphs, and gradients by central differences.
package neuraltest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// RandomData is a graph with loops, parallel edges and vertices without any. It has the inputs of a compiled model
// with 4 features, and classes from 0 to 3, or -1.
func RandomData(r *rand.Rand) *dataflow.Data {
	d := &dataflow.Data{Vertices: r.IntN(7), Properties: map[string][]float64{}, Inputs: map[string]dataflow.Matrix{},
		Parameters: map[string]dataflow.Matrix{}, Dropout: dataflow.Dropout{Seed: r.Uint64(), Epoch: r.IntN(3)}}
	for range min(d.Vertices, 1) * r.IntN(12) {
		d.Sources = append(d.Sources, uint32(r.IntN(d.Vertices)))
		d.Targets = append(d.Targets, uint32(r.IntN(d.Vertices)))
	}
	d.Properties["weight"] = Normal(r, dataflow.NewMatrix(len(d.Sources), 1)).Of
	d.Inputs["x"] = Normal(r, dataflow.NewMatrix(d.Vertices, 4))
	wanted, weight := dataflow.NewMatrix(d.Vertices, 1), dataflow.NewMatrix(d.Vertices, 1)
	in, out := dataflow.NewMatrix(d.Vertices, 1), dataflow.NewMatrix(d.Vertices, 1)
	for i := range d.Vertices {
		wanted.Of[i] = float64(r.IntN(5) - 1)
		weight.Of[i] = r.Float64()
	}
	for e, source := range d.Sources {
		out.Of[source]++
		in.Of[d.Targets[e]]++
	}
	d.Inputs["wanted"], d.Inputs["weight"], d.Inputs["in_degree"], d.Inputs["out_degree"] = wanted, weight, in, out
	return d
}

// Normal fills m with random numbers.
func Normal(r *rand.Rand, m dataflow.Matrix) dataflow.Matrix {
	for i := range m.Of {
		m.Of[i] = r.NormFloat64()
	}
	return m
}

// Loss computes the loss of a program.
func Loss(t testing.TB, p *dataflow.Program, d *dataflow.Data) float64 {
	t.Helper()
	known, err := dataflow.Evaluate(p.Values, d)
	if err != nil {
		t.Fatal(err)
	}
	return known[p.Loss].Of[0]
}

// CompareGradients fails unless the gradients of p are those of central differences, to 1e-6, and to what the last bits
// of a large loss leave of these.
func CompareGradients(t testing.TB, p *dataflow.Program, data *dataflow.Data) {
	t.Helper()
	known, err := dataflow.Evaluate(p.Values, data)
	if err != nil {
		t.Fatal(err)
	}
	for i, parameter := range p.Parameters {
		m := data.Parameters[parameter.Name]
		for j := range m.Of {
			got := 0.0
			if p.Gradients[i] != nil {
				got = known[p.Gradients[i]].Of[j]
			}
			at := func(step float64) float64 {
				was := m.Of[j]
				defer func() { m.Of[j] = was }()
				m.Of[j] += step
				return Loss(t, p, data)
			}
			var want float64
			near := false
			for _, step := range []float64{1e-5, 1e-6, 1e-4} { // a kink may lie within one of them
				above, below := at(step), at(-step)
				want = (above - below) / (2 * step)
				bits := 0x1p-50 * math.Abs(above) / step
				near = near || math.Abs(got-want) <= 1e-6*(1+math.Abs(want))+bits
			}
			if !near {
				for _, v := range p.Values {
					t.Log(v)
				}
				t.Fatalf("gradient of %s[%d] is %v, differences say %v", parameter.Name, j, got, want)
			}
		}
	}
}
