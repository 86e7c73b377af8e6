package neural

import (
	"math"
	"math/rand/v2"
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

// Sums of what is made at edges go along with weighted sums, one with each, if they are as wide as the weights. What
// does and what does not comes to what the oracle computes, whatever kernels there are.
func TestNetwork_Along(t *testing.T) {
	const end = dataflow.AtTarget
	for name, c := range map[string]struct {
		weights, along int
		sums           func(b *dataflow.Builder, s, x *dataflow.Value) []*dataflow.Value // of edges and vertices, as wide
	}{
		"weights": {1, 1, func(b *dataflow.Builder, s, _ *dataflow.Value) []*dataflow.Value {
			return []*dataflow.Value{b.Gather(dataflow.GatherSum, end, s)}
		}},
		"more than weighted sums": {2, 2, func(b *dataflow.Builder, s, _ *dataflow.Value) []*dataflow.Value {
			return []*dataflow.Value{b.Gather(dataflow.GatherSum, end, s),
				b.Gather(dataflow.GatherSum, end, b.Unary(dataflow.Exp, s, 0)),
				b.Gather(dataflow.GatherSum, end, b.Unary(dataflow.Relu, s, 0))}
		}},
		"the largest": {1, 0, func(b *dataflow.Builder, s, _ *dataflow.Value) []*dataflow.Value {
			return []*dataflow.Value{b.Gather(dataflow.GatherMax, end, s)}
		}},
		"what is narrower": {1, 0, func(b *dataflow.Builder, s, _ *dataflow.Value) []*dataflow.Value {
			return []*dataflow.Value{b.Gather(dataflow.GatherSum, end, b.SumParts(s, 1))}
		}},
		"rows of the far ends": {1, 0, func(b *dataflow.Builder, _, x *dataflow.Value) []*dataflow.Value {
			return []*dataflow.Value{b.Gather(dataflow.GatherSum, end, b.At(dataflow.AtSource, x))}
		}},
		"rows of the near ends": {1, 0, func(b *dataflow.Builder, _, x *dataflow.Value) []*dataflow.Value {
			return []*dataflow.Value{b.Gather(dataflow.GatherSum, end, b.At(dataflow.AtTarget, x))}
		}},
		"a mask": {1, 0, func(b *dataflow.Builder, s, _ *dataflow.Value) []*dataflow.Value {
			return []*dataflow.Value{b.Gather(dataflow.GatherSum, end, b.Mask(s, 0.5, 0))}
		}},
		"what is held": {1, 0, func(b *dataflow.Builder, s, _ *dataflow.Value) []*dataflow.Value {
			return []*dataflow.Value{b.Gather(dataflow.GatherSum, end, b.Unary(dataflow.Hold, s, 0))}
		}},
	} {
		r, b := rand.New(rand.NewPCG(1, 2)), dataflow.NewBuilder(false)
		data := neuraltest.RandomData(r)
		large(r, data)
		input := func(name string, width int) *dataflow.Value {
			data.Inputs[name] = neuraltest.Normal(r, dataflow.NewMatrix(data.Vertices, width))
			return b.Varying(name, width) // as masks do
		}
		x, narrow := input("wide", 24), input("narrow", 3)
		s := b.Binary(dataflow.Add, b.At(dataflow.AtSource, narrow), b.At(dataflow.AtTarget, narrow))
		s = b.Unary(dataflow.Tanh, s, 0)
		out := b.Input("wanted", 1)
		for _, weight := range []*dataflow.Value{s, b.Unary(dataflow.Softplus, s, 0)}[:c.weights] {
			weighted := b.Binary(dataflow.Multiply, weight, b.At(dataflow.AtSource, x))
			out = b.Binary(dataflow.Add, out, b.Gather(dataflow.GatherSum, end, weighted))
		}
		for _, sum := range c.sums(b, s, narrow) {
			out = b.Binary(dataflow.Add, out, sum)
		}
		p := dataflow.Compile(b, b.SumRows(b.SumParts(out, 1)), out, nil)
		want, err := dataflow.Evaluate(p.Values, data)
		if err != nil {
			t.Fatal(err)
		}
		double, _ := run[float64](t, p, data, 1, false)
		along, size := 0, 0.0
		for _, stage := range double.schedule.Epoch {
			for i := range stage.Waves {
				w := newWave[float64](&stage.Waves[i], len(double.known))
				for _, g := range w.weighted {
					along += len(g.plain)
				}
			}
		}
		if along != c.along {
			t.Errorf("%s: %d sums go along, not %d", name, along, c.along)
		}
		for _, x := range want[p.Output].Of {
			size = max(size, math.Abs(x))
		}
		for _, l := range vector.Levels() {
			vector.At(l, func() {
				single, _ := run[float32](t, p, data, 1, false)
				for j, x := range want[p.Output].Of {
					if a, b := double.Of(p.Output)[j], float64(single.Of(p.Output)[j]); !(math.Abs(a-x) <= 1e-12*size) ||
						!(math.Abs(b-x) <= 1e-4*size) {
						t.Fatalf("%s, %v: number %d is %v, and %v in single precision, not %v", name, l, j, a, b, x)
					}
				}
			})
		}
	}
}
