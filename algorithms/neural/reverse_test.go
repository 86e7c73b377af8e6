package neural_test

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/testseed"
)

// TestCompile_Reverse: a model whose messages go against edges says what it would of the graph with its edges turned.
func TestCompile_Reverse(t *testing.T) {
	r := testseed.Rand(t)
	for _, name := range neural.Names() {
		model, _ := neural.Lookup(name)
		model.Training.Dropout = 0 // at edges it goes by their ends
		n := 5 + r.IntN(20)
		turned := &dataflow.Data{Vertices: n, Parameters: map[string]dataflow.Matrix{}, Inputs: map[string]dataflow.Matrix{
			neural.InputFeatures: neuraltest.Normal(r, dataflow.NewMatrix(n, 3))}}
		for range 3 * n {
			turned.Sources = append(turned.Sources, uint32(r.IntN(n)))
			turned.Targets = append(turned.Targets, uint32(r.IntN(n)))
		}
		as := &dataflow.Data{Vertices: n, Sources: turned.Targets, Targets: turned.Sources, Parameters: turned.Parameters,
			Inputs: map[string]dataflow.Matrix{neural.InputFeatures: turned.Inputs[neural.InputFeatures]}}
		said := [2]dataflow.Matrix{}
		for i, d := range []*dataflow.Data{turned, as} {
			countDegrees(d)
			model.Reverse = i == 1
			c, err := neural.Compile(model, neural.Schema{Features: 3, Outputs: 2})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range c.Learned {
				if _, is := d.Parameters[p.Value.Name]; !is {
					d.Parameters[p.Value.Name] = neuraltest.Normal(r, dataflow.NewMatrix(p.Value.Rows, p.Value.Width))
				}
			}
			values, err := dataflow.Evaluate(dataflow.Order(c.Program.Values, c.Program.Output), d)
			if err != nil {
				t.Fatal(err)
			}
			said[i] = values[c.Program.Output]
		}
		for i, x := range said[0].Of {
			if math.Abs(x-said[1].Of[i]) > 1e-9*(1+math.Abs(x)) {
				t.Fatalf("%s: number %d is %v, and %v with edges turned", name, i, said[1].Of[i], x)
			}
		}
	}
	model, _ := neural.Lookup("sage")
	model.Reverse = true
	if _, err := neural.Compile(model, neural.Schema{Features: 3, Outputs: 2, Sampled: true}); err == nil {
		t.Error("messages against edges are sampled")
	}
}

// countDegrees gives data its degrees.
func countDegrees(d *dataflow.Data) {
	for name, ends := range map[string][]uint32{neural.InputInDegree: d.Targets, neural.InputOutDegree: d.Sources} {
		d.Inputs[name] = dataflow.NewMatrix(d.Vertices, 1)
		for _, v := range ends {
			d.Inputs[name].Of[v]++
		}
	}
}
