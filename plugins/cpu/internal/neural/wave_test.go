package neural

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// Attention of a model of one's own reads the row of a neighbor once forward and once backward, whatever kernels there
// are, and all come to what is computed where everything at edges is held.
func TestNetwork_Weighted(t *testing.T) {
	r := testseed.Rand(t)
	model := neural.Model{Name: "own", Layers: []neural.Layer{{
		Edge:  "softmax(leaky_relu(dot(src.h * W, A) + dot(dst.h * V, B), 0.1)) * dropout(src.h * W)",
		Width: "12", Heads: "3", Widths: map[string]string{"V": "6"}, Vertex: "tanh(acc)"}, {Vertex: "self.h * W", Width: "outputs"}},
		Training: neural.Training{Dropout: 0.3}}
	c, err := neural.Compile(model, neural.Schema{Features: 4, Outputs: 4})
	if err != nil {
		t.Fatal(err)
	}
	data, p := neuraltest.RandomData(r), c.Program
	large(r, data)
	data.Inputs[neural.InputWeight] = neuraltest.Normal(r, dataflow.NewMatrix(data.Vertices, 1))
	for _, v := range p.Parameters {
		data.Parameters[v.Name] = neuraltest.Normal(r, dataflow.NewMatrix(v.Rows, v.Width))
	}
	held, _ := p.Held(nil)
	want, heldRoots := run[float64](t, held, data, 2, false)
	if n := want.weighted(); n != 0 {
		t.Errorf("%d rows are read to be weighted where all is held", n)
	}
	for _, l := range vector.Levels() {
		vector.At(l, func() {
			got, roots := run[float32](t, p, data, 2, false)
			if n, runs := got.weighted(), 2; n != runs*2*len(data.Sources) {
				t.Errorf("%v: %d rows are read for %d edges", l, n, len(data.Sources))
			}
			for k, v := range roots {
				size := 0.0
				for _, x := range want.Of(heldRoots[k]) {
					size = max(size, math.Abs(x))
				}
				for j, x := range want.Of(heldRoots[k]) {
					if a := float64(got.Of(v)[j]); !(math.Abs(a-x) <= 1e-4*size) {
						t.Fatalf("%v: %v, number %d is %v, not %v", l, v, j, a, x)
					}
				}
			}
		})
	}
}

// weighted is how many rows have been read to be added up with weights.
func (n *Network[T]) weighted() (rows int) {
	for _, passes := range n.passes {
		for _, p := range passes {
			for _, b := range p.blocks {
				if b != nil {
					rows += b.work.weighted
				}
			}
		}
	}
	return rows
}
