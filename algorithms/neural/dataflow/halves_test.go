package dataflow_test

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// Halves compute all that their stages do; none looks at edges and makes rows; and what a half reads is given, stored
// before, or computed in it.
func TestHalves(t *testing.T) {
	for _, name := range neural.Names() {
		model, _ := neural.Lookup(name)
		c, err := neural.Compile(model, neural.Schema{Features: 6, Outputs: 3})
		if err != nil {
			t.Fatal(err)
		}
		p := c.Program
		s := dataflow.NewSchedule(p.Values, append(slices.Clone(p.Gradients), p.Loss, p.Output)...)
		known := map[*dataflow.Value]bool{}
		for _, stages := range [][]dataflow.Stage{s.Once, s.Epoch} {
			halves := dataflow.Halves(stages)
			sparse, dense := 0, 0
			for i := range halves {
				half := &halves[i]
				checkHalf(t, name, half, known)
				if half.Sparse() {
					sparse++
				} else {
					dense += half.Products()
				}
				for _, v := range half.Results() {
					known[v] = true
				}
			}
			if looks := name != "mlp"; dense == 0 && len(s.Once) == 0 || looks && sparse == 0 && len(stages) > 1 {
				t.Errorf("%s: %d halves along edges, %d products in others", name, sparse, dense)
			}
			for _, stage := range stages {
				for _, v := range slices.Concat(stage.Stored, stage.Sums, stage.Small) {
					if !known[v] {
						t.Errorf("%s: %v is left by no half", name, v)
					}
				}
			}
		}
	}
}

func checkHalf(t *testing.T, name string, p *dataflow.Half, known map[*dataflow.Value]bool) {
	t.Helper()
	here := map[*dataflow.Value]bool{}
	for _, w := range p.Waves {
		if len(w.Gathers) > 0 && len(w.Rows) > 0 {
			t.Errorf("%s: a half that gathers makes rows", name)
		}
		for _, v := range slices.Concat(w.Edges, w.Gathers, w.Rows, p.Sums, p.Small) {
			for _, a := range v.Args {
				if len(a.Args) > 0 && !here[a] && !known[a] {
					t.Errorf("%s: %v reads %v, which nobody has left", name, v, a)
				}
			}
			here[v] = true
		}
	}
}
