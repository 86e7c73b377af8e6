package neural

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// The gradient of the weights of words is made by column where all vertices are there: it has the bits of that whose
// sections are added up one after the other, by any number of workers, and the workspace is smaller.
func TestNetwork_ByColumn(t *testing.T) {
	r := testseed.Rand(t)
	const words = 40
	m, _ := neural.Lookup("gat")
	m.Sizes = map[string]int{"hidden": 12, "heads": 3}
	compiled, err := neural.Compile(m, neural.Schema{Features: words, Outputs: 5, Task: neural.Classes})
	if err != nil {
		t.Fatal(err)
	}
	p := compiled.Program
	roots := append([]*dataflow.Value{p.Loss}, p.Gradients...)
	data := neuraltest.RandomData(r)
	large(r, data)
	x := dataflow.NewMatrix(data.Vertices, words)
	for i := range x.Of {
		if r.IntN(10) == 0 {
			x.Of[i] = r.NormFloat64()
		}
	}
	data.Inputs["x"] = x
	data.Inputs[neural.InputWeight] = neuraltest.Normal(r, dataflow.NewMatrix(data.Vertices, 1))
	inputs := map[string]Rows[float32]{}
	for name, m := range data.Inputs {
		inputs[name] = Rows[float32]{Dense: converted[float32](m.Of)}
	}
	inputs["x"] = sparsed(inputs["x"].Dense, words)
	given := func(v *dataflow.Value) bool { return inputs[v.Name].Offsets != nil }
	graph := graphOf(data)
	compute := func(threads int, byColumn bool) (n *Network[float32], partial int) {
		var size workspaceSize
		stored(p.Values, roots, data.Vertices, adjacency.MostSections, given, &size, byColumn)
		work := newWorkspace[float32](size, threads)
		if byColumn {
			n, err = New(graph, parallel.New(threads), work, nil, p.Values, inputs, roots...)
		} else { // as a batch is computed
			n = &Network[float32]{graph: graph, pool: parallel.New(threads), work: work,
				schedule: dataflow.NewSchedule(p.Values, roots...), known: newTable[[]float32](p.Values),
				sparse: dataflow.Sparse(dataflow.Order(p.Values, roots...), given)}
			err = n.begin(p.Values, inputs)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range p.Parameters {
			copy(n.Of(v), converted[float32](data.Parameters[v.Name].Of))
		}
		for range 2 { // the second begins anew
			if err := n.Run(t.Context(), dataflow.Dropout{Seed: 1, Epoch: 2}); err != nil {
				t.Fatal(err)
			}
		}
		return n, size.partial
	}
	for _, v := range p.Parameters {
		data.Parameters[v.Name] = neuraltest.Normal(r, dataflow.NewMatrix(v.Rows, v.Width))
	}
	want, most := compute(1, false)
	for _, threads := range []int{1, 3} {
		got, partial := compute(threads, true)
		sums := 0
		for _, pass := range got.passes[1] {
			sums += len(pass.columns.sums)
		}
		if sums != 1 || partial >= most {
			t.Errorf("%d sums by column; sections have %d numbers, and %d without", sums, partial, most)
		}
		for _, v := range roots {
			for i, a := range got.Of(v) {
				if b := want.Of(v)[i]; math.Float32bits(a) != math.Float32bits(b) {
					t.Fatalf("%d workers: number %d of %v is %v by column, %v by section", threads, i, v, a, b)
				}
			}
		}
	}
}
