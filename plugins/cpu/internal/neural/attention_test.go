package neural

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/testseed"
)

// gat is a graph attention network over features of four numbers.
func gat(t *testing.T, heads, hidden int) *dataflow.Program {
	t.Helper()
	m, _ := neural.Lookup("gat")
	m.Sizes = map[string]int{"hidden": hidden, "heads": heads}
	c, err := neural.Compile(m, neural.Schema{Features: 4, Outputs: 5, Task: neural.Classes})
	if err != nil {
		t.Fatal(err)
	}
	return c.Program
}

// Scores of a graph attention network are one pass over a tile, in each wave that has them: forward and backward, in
// both layers. Nothing else is computed of edges but what that leaves, and nothing on the way is stored.
func TestAttention_Found(t *testing.T) {
	p, waves := gat(t, 8, 64), 0
	for _, stage := range dataflow.NewSchedule(p.Values, append([]*dataflow.Value{p.Loss}, p.Gradients...)...).Epoch {
		for i := range stage.Waves {
			w := &stage.Waves[i]
			f, scores := fusionOf(w), false
			for _, v := range w.Edges {
				switch v.Op {
				case dataflow.Source, dataflow.Target, dataflow.Mask:
					continue
				case dataflow.Exp:
					scores = true
				}
				if !f.fused[v] && f.attention[v] == nil {
					t.Errorf("%v is computed by itself", v)
				}
			}
			if scores {
				waves++
			}
		}
		_, tile := blockValues(&stage, nil)
		if numbers := widths(tile); numbers > 4*8 {
			t.Errorf("%d numbers of an edge are stored for a tile", numbers)
		}
	}
	if waves != 4 {
		t.Errorf("%d waves have scores", waves)
	}
}

// A graph attention network computes what the oracle does, by any number of heads, with dropouts, in both precisions,
// and the same bits by several workers.
func TestAttention_Computes(t *testing.T) {
	r := testseed.Rand(t)
	for i := range 24 {
		data := neuraltest.RandomData(r)
		if i%4 == 0 {
			large(r, data)
		}
		weight := dataflow.NewMatrix(data.Vertices, 1)
		for i := range weight.Of {
			weight.Of[i] = 1 / float64(data.Vertices)
		}
		data.Inputs[neural.InputWeight] = weight
		heads := 1 + r.IntN(10)
		p := gat(t, heads, heads*(1+r.IntN(9)))
		for _, v := range p.Parameters {
			data.Parameters[v.Name] = neuraltest.Normal(r, dataflow.NewMatrix(v.Rows, v.Width))
		}
		want, err := dataflow.Evaluate(p.Values, data)
		if err != nil {
			t.Fatal(err)
		}
		double, roots := run[float64](t, p, data, 1+r.IntN(3), false)
		single, _ := run[float32](t, p, data, 1, false)
		again, _ := run[float32](t, p, data, 2+r.IntN(3), false)
		size := 0.0 // of the largest: sums may cancel to little
		for _, v := range roots {
			for _, x := range want[v].Of {
				size = max(size, math.Abs(x))
			}
		}
		for _, v := range roots {
			for j, x := range want[v].Of {
				if got := double.Of(v)[j]; math.Abs(got-x) > 1e-9*(1+size) {
					t.Fatalf("%d heads: %v, number %d: %v, want %v", heads, v, j, got, x)
				}
				got := single.Of(v)[j]
				if math.Abs(float64(got)-x) > 1e-3*(1+size) {
					t.Fatalf("%d heads: %v, number %d: %v in single precision, want %v", heads, v, j, got, x)
				}
				if other := again.Of(v)[j]; math.Float32bits(got) != math.Float32bits(other) {
					t.Fatalf("%d heads: %v, number %d: %v by one worker, %v by several", heads, v, j, got, other)
				}
			}
		}
	}
}

// No product of rows is made of which only a sum is read: in both layers the parts of scores, and scalar products of
// their gradients; and rows that are scaled, for the gradients of what scores are made with.
func TestFusedRows(t *testing.T) {
	p, parts, scaled := gat(t, 8, 64), 0, 0
	for _, stage := range dataflow.NewSchedule(p.Values, append([]*dataflow.Value{p.Loss}, p.Gradients...)...).Epoch {
		rows, _ := blockValues(&stage, nil)
		all := stage.Sums
		for _, w := range stage.Waves {
			all = slices.Concat(all, w.Rows)
		}
		for _, v := range all {
			switch {
			case v.Op == dataflow.SumParts:
				parts++
			case v.Op == dataflow.SumRows && v.Width > 1 && v.Args[0].Op == dataflow.Multiply &&
				slices.ContainsFunc(v.Args[0].Args, func(x *dataflow.Value) bool { return x.Width < v.Width }) &&
				!slices.ContainsFunc(all, func(o *dataflow.Value) bool { return o != v && slices.Contains(o.Args, v.Args[0]) }):
				scaled++
			default:
				continue
			}
			if slices.Contains(rows, v.Args[0]) {
				t.Errorf("%v is made, for %v alone", v.Args[0], v)
			}
		}
	}
	if parts != 10 || scaled != 4 {
		t.Errorf("%d sums of parts, %d of scaled rows", parts, scaled)
	}
}

// What a stage stores is made where it stays: no worker has rows of its own for it.
func TestBlock_MakesWhatIsStoredInPlace(t *testing.T) {
	r := testseed.Rand(t)
	data := neuraltest.RandomData(r)
	large(r, data)
	n, _ := run[float64](t, neuraltest.Grow(r, false, data), data, 1, false)
	for _, p := range n.passes[1] {
		for _, b := range p.blocks {
			for _, v := range p.Stored {
				last := n.known[v.ID][b.first*v.Width-b.most.rows*v.Width:]
				if &b.rows[v.ID][0] != &last[0] {
					t.Errorf("the rows of %v are copied to where they are stored", v)
				}
			}
		}
	}
}
