package networks

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// growVarying makes a program over features that vary: what is made of them alone would else be computed once. Their
// gradient is a root, as where rows of vertices are learned.
func growVarying(r *rand.Rand, data *dataflow.Data) *dataflow.Program {
	b := dataflow.NewBuilder(r.IntN(2) == 0)
	x := b.Varying("x", 4)
	far := b.Gather(dataflow.GatherSum, dataflow.AtTarget, b.At(dataflow.AtSource, b.Unary(dataflow.Tanh, x, 0)))
	p := b.Parameter("p", 4, 4)
	data.Parameters["p"] = neuraltest.Normal(r, dataflow.NewMatrix(4, 4))
	out := b.Product(b.Binary(dataflow.Add, far, x), p)
	loss := b.SumRows(b.SumParts(b.Unary(dataflow.Tanh, out, 0), 1))
	return dataflow.Compile(b, loss, out, []*dataflow.Value{p, x}, far)
}

// vary gives the inputs that vary other rows, and holds what again leaves against the oracle.
func (w *networkWork) vary(t *testing.T, r *rand.Rand, memory *arena.Arena, task plugins.Task,
	again func() error) error {
	t.Helper()
	first, numbers := w.data.Inputs["x"], w.numbers
	defer func() { w.data.Inputs["x"], w.numbers = first, numbers }()
	for _, v := range w.values {
		if !v.Varies {
			continue
		}
		i := slices.IndexFunc(task.Network.Inputs, func(in plugins.Tensor) bool { return in.Name == v.Name })
		rows, err := memory.Float32s(task.Network.Inputs[i].Numbers)
		if err != nil {
			return err
		}
		other := neuraltest.Normal(r, dataflow.NewMatrix(w.graph.N(), v.Width))
		for k, x := range other.Of {
			rows[k] = float32(x)
			other.Of[k] = float64(rows[k])
		}
		w.data.Inputs[v.Name] = other
		if err := again(); err != nil {
			return err
		}
		left, err := memory.Float32s(task.Network.Passes[0].At)
		if err != nil {
			return err
		}
		w.numbers = slices.Clone(left)
		w.compare(t, r)
	}
	return nil
}
