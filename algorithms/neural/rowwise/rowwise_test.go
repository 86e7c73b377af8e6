package rowwise_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/algorithms/neural/rowwise"
	"github.com/penstock-db/penstock/internal/testseed"
)

// outputs are what models say of pairs: empty is their vectors' product and two biases.
var outputs = []string{"",
	"dot(src.h * M, dst.h) + src.bias + dst.bias + tanh(dot(dst.h, A)) + B",
	"sigmoid(concat(src.h, dst.h) * W + B)",
	"relu(max(src.h, dst.h) - src.bias) * W / (1.0 + exp(dst.bias))",
}

// What a model says of pairs, its loss and its gradients are those of the oracle, and the gradients of what is learned
// and of what pairs are made of are those of central differences.
func TestBlock_Decoders(t *testing.T) {
	r := testseed.Rand(t)
	for _, task := range []neural.Task{neural.EdgeValues, neural.Links} {
		for _, output := range outputs {
			m, _ := neural.Lookup("factors")
			m.Output = output
			c, err := neural.Compile(m, neural.Schema{Embedding: 4, Outputs: 4, Task: task})
			if err != nil {
				t.Fatal(err)
			}
			for _, rows := range []int{1, 2, 7} {
				d := pairData(r, c.Decoder, rows, task)
				compareBlock(t, c.Decoder, d)
				compareSlopes(t, c.Decoder, d)
			}
		}
	}
}

// pairData is random rows of all that a decoder reads.
func pairData(r *rand.Rand, of *neural.Decoder, rows int, task neural.Task) *dataflow.Data {
	d := &dataflow.Data{Vertices: rows, Inputs: map[string]dataflow.Matrix{}, Parameters: map[string]dataflow.Matrix{}}
	for _, v := range of.Values {
		switch v.Op {
		case dataflow.Input:
			d.Inputs[v.Name] = neuraltest.Normal(r, dataflow.NewMatrix(rows, v.Width))
		case dataflow.Parameter:
			d.Parameters[v.Name] = neuraltest.Normal(r, dataflow.NewMatrix(v.Rows, v.Width))
		}
	}
	if wanted := d.Inputs[of.Wanted.Name]; task == neural.Links {
		for i := range wanted.Of {
			wanted.Of[i] = float64(r.IntN(2))
		}
	}
	return d
}

// compareBlock fails unless a block with room for more rows has what the oracle has.
func compareBlock(t *testing.T, of *neural.Decoder, d *dataflow.Data) {
	t.Helper()
	b, err := rowwise.New(of.Values, d.Vertices+3)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range of.Values {
		switch v.Op {
		case dataflow.Input:
			copy(b.Of(v), d.Inputs[v.Name].Of)
		case dataflow.Parameter:
			copy(b.Of(v), d.Parameters[v.Name].Of)
		}
	}
	known, err := dataflow.Evaluate(of.Values, d)
	if err != nil {
		t.Fatal(err)
	}
	b.Run(d.Vertices)
	for _, v := range of.Values {
		for i, want := range known[v].Of {
			if got := b.Of(v)[i]; math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
				t.Fatalf("number %d of %v is %v, want %v", i, v, got, want)
			}
		}
	}
}

// compareSlopes fails unless gradients are those of central differences, to 1e-6.
func compareSlopes(t *testing.T, of *neural.Decoder, d *dataflow.Data) {
	t.Helper()
	known, err := dataflow.Evaluate(of.Values, d)
	if err != nil {
		t.Fatal(err)
	}
	compare := func(name string, m dataflow.Matrix, slope *dataflow.Value) {
		for i := range m.Of {
			got := 0.0
			if slope != nil {
				got = known[slope].Of[i]
			}
			at := func(step float64) float64 {
				was := m.Of[i]
				defer func() { m.Of[i] = was }()
				m.Of[i] += step
				moved, err := dataflow.Evaluate(of.Values, d)
				if err != nil {
					t.Fatal(err)
				}
				return moved[of.Loss].Of[0]
			}
			near := false
			for _, step := range []float64{1e-5, 1e-6, 1e-4} { // a kink may lie within one of them
				want := (at(step) - at(-step)) / (2 * step)
				near = near || math.Abs(got-want) <= 1e-6*(1+math.Abs(want))
			}
			if !near {
				t.Fatalf("gradient of %s[%d] is %v, differences say otherwise", name, i, got)
			}
		}
	}
	for i, l := range of.Learned {
		compare(l.Value.Name, d.Parameters[l.Value.Name], of.Slopes[i])
	}
	for _, e := range of.Ends {
		for _, each := range []struct{ of, slope *dataflow.Value }{{e.Vector, e.VectorSlope}, {e.Bias, e.BiasSlope}} {
			compare(each.of.Name, d.Inputs[each.of.Name], each.slope)
		}
	}
}
