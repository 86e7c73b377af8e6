package neural

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// A network whose values share memory over time computes the same bits as one in which each has its own, also where
// another network has left its numbers there; and it takes no more.
func TestNetwork_Shares(t *testing.T) {
	r := testseed.Rand(t)
	least, most := 0, 0
	for i := range 30 {
		data := neuraltest.RandomData(r)
		if i%5 == 0 {
			large(r, data)
		}
		p := neuraltest.Grow(r, false, data)
		apart, roots := run[float64](t, p, data, 1, false)
		size := workspaceSize{}
		once, each := stored(p.Values, roots, data.Vertices, adjacency.MostSections,
			func(*dataflow.Value) bool { return false }, &size, true)
		memory := &slab[float64]{all: make([]float64, each)}
		for j := range memory.all {
			memory.all[j] = r.NormFloat64()
		}
		inputs := map[string]Rows[float64]{}
		for name, m := range data.Inputs {
			inputs[name] = Rows[float64]{Dense: m.Of}
		}
		shared, err := New(apart.graph, parallel.New(2), newWorkspace[float64](size, 2), memory, p.Values, inputs, roots...)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range p.Parameters {
			copy(shared.Of(v), data.Parameters[v.Name].Of)
		}
		for range 2 {
			if err := shared.Run(t.Context(), data.Dropout); err != nil {
				t.Fatal(err)
			}
			for _, root := range roots {
				if !slices.Equal(shared.Of(root), apart.Of(root)) {
					t.Fatalf("%v is %v, not %v", root, shared.Of(root), apart.Of(root))
				}
			}
		}
		if memory.used != each {
			t.Errorf("%d numbers are taken, not %d", memory.used, each)
		}
		own := once + parameterNumbers(apart.schedule.Epoch)
		for _, stage := range apart.schedule.Epoch {
			own += data.Vertices * widths(stage.Stored)
		}
		least, most = least+once+each, most+own
	}
	if least > most {
		t.Errorf("%d numbers are stored, and %d where each value has its own memory", least, most)
	}
}

// What some built-in models store to learn takes less memory than all of it side by side.
func TestPlaces_Less(t *testing.T) {
	for _, name := range []string{"gcn", "sage-max", "gg-nn"} {
		m, _ := neural.Lookup(name)
		c, err := neural.Compile(m, neural.Schema{Features: 4, Outputs: 5, Task: neural.Classes})
		if err != nil {
			t.Fatal(err)
		}
		own, roots := 0, append([]*dataflow.Value{c.Program.Loss}, c.Program.Gradients...)
		stages := dataflow.NewSchedule(c.Program.Values, roots...).Epoch
		for _, stage := range stages {
			own += widths(stage.Stored)
		}
		if _, numbers := places(stages, roots); numbers >= own {
			t.Errorf("%s: %d numbers of a vertex are stored, and %d where each value has its own memory", name, numbers, own)
		}
	}
}
