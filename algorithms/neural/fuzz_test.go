package neural_test

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
)

// Whatever a user writes, it is refused by an error, or can be computed and scheduled, with its gradients.
func FuzzCompile(f *testing.F) {
	for _, name := range neural.Names() {
		m, _ := neural.Lookup(name)
		for _, l := range m.Layers {
			f.Add(l.Edge, l.Vertex, l.Gather, uint8(len(l.Heads)))
		}
	}
	f.Add("edge.weight * W", "acc + A * B - dropout(B)", "max", uint8(1))
	f.Add("softmax(1)", "concat(layer_norm(W), normalize(acc) * V)", "mean", uint8(0))
	f.Fuzz(func(t *testing.T, edge, vertex, gather string, heads uint8) {
		m := one(neural.Layer{Edge: edge, Vertex: vertex, Gather: gather, Width: "outputs"})
		m.Training.Dropout = 0.5
		if heads > 1 {
			m.Layers[0].Heads = "2"
		}
		r := rand.New(rand.NewPCG(1, 2))
		for _, plain := range []bool{false, true} {
			c, err := neural.Compile(m, neural.Schema{Features: 4, Outputs: 4, EdgeProperties: []string{"weight"}, Plain: plain})
			if err != nil {
				return
			}
			data := neuraltest.RandomData(r)
			wanted(r, c, data)
			if _, err := dataflow.Evaluate(c.Program.Values, data); err != nil {
				t.Fatal(err)
			}
			dataflow.NewSchedule(c.Program.Values, append(c.Program.Gradients, c.Program.Loss, c.Program.Output)...)
		}
	})
}
