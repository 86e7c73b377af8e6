package neural

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// graphOf has the edges of d at both ends, in their order.
func graphOf(d *dataflow.Data) Graph {
	g := Graph{Vertices: d.Vertices}
	for end, ends := range [][]uint32{dataflow.AtTarget: d.Targets, dataflow.AtSource: d.Sources} {
		others := d.Sources
		if dataflow.End(end) == dataflow.AtSource {
			others = d.Targets
		}
		l := Lists{Offsets: make([]int64, d.Vertices+1), Properties: map[string][]float64{"weight": nil}}
		for v := range d.Vertices {
			for e, at := range ends {
				if int(at) == v {
					l.Others = append(l.Others, others[e])
					l.Properties["weight"] = append(l.Properties["weight"], d.Properties["weight"][e])
				}
			}
			l.Offsets[v+1] = int64(len(l.Others))
		}
		degrees := make([]int64, d.Vertices)
		for v := range degrees {
			degrees[v] = l.Offsets[v+1] - l.Offsets[v]
		}
		g.Ends[end], g.Sections[end] = l, adjacency.Sections(degrees)
	}
	return g
}

// large makes d a graph of several blocks and tiles, with a vertex that half of the edges lead to.
func large(r *rand.Rand, d *dataflow.Data) {
	d.Vertices = 300 + r.IntN(300)
	d.Sources, d.Targets = nil, nil
	for range 2000 {
		d.Sources = append(d.Sources, uint32(r.IntN(d.Vertices)))
		d.Targets = append(d.Targets, uint32(r.IntN(2)*r.IntN(d.Vertices)))
	}
	d.Properties["weight"] = neuraltest.Normal(r, dataflow.NewMatrix(len(d.Sources), 1)).Of
	d.Inputs["x"] = neuraltest.Normal(r, dataflow.NewMatrix(d.Vertices, 4))
	wanted := dataflow.NewMatrix(d.Vertices, 1)
	for i := range wanted.Of {
		wanted.Of[i] = float64(r.IntN(5) - 1)
	}
	d.Inputs["wanted"] = wanted
}

func run[T number](t *testing.T, p *dataflow.Program, d *dataflow.Data, threads int, sparse bool) (*Network[T],
	[]*dataflow.Value) {
	t.Helper()
	inputs := map[string]Rows[T]{}
	for name, m := range d.Inputs {
		inputs[name] = Rows[T]{Dense: converted[T](m.Of)}
		if sparse && name == "x" {
			inputs[name] = sparsed(inputs[name].Dense, m.Width)
		}
	}
	roots := append([]*dataflow.Value{p.Loss, p.Output}, p.Gradients...)
	roots = slices.DeleteFunc(roots, func(v *dataflow.Value) bool { return v == nil })
	graph := graphOf(d)
	size := workspaceSize{sections: (&Network[T]{graph: graph}).sections()}
	stored(p.Values, roots, d.Vertices, adjacency.MostSections, func(v *dataflow.Value) bool {
		return inputs[v.Name].Offsets != nil
	}, &size, true)
	n, err := New(graph, parallel.New(threads), newWorkspace[T](size, threads), nil, p.Values, inputs, roots...)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range p.Parameters {
		copy(n.Of(v), converted[T](d.Parameters[v.Name].Of))
	}
	for range 2 { // what is fixed is there in the second
		if err := n.Run(t.Context(), d.Dropout); err != nil {
			t.Fatal(err)
		}
	}
	return n, roots
}

// sparsed keeps of rows what is not 0.
func sparsed[T number](x []T, width int) Rows[T] {
	r := Rows[T]{Offsets: []int64{0}}
	for i, a := range x {
		if a != 0 {
			r.Columns, r.Values = append(r.Columns, uint32(i%width)), append(r.Values, a)
		}
		if (i+1)%width == 0 {
			r.Offsets = append(r.Offsets, int64(len(r.Columns)))
		}
	}
	return r
}

func converted[T number](x []float64) []T {
	y := make([]T, len(x))
	for i, a := range x {
		y[i] = T(a)
	}
	return y
}

// A network computes what the oracle does, in both precisions, and the same bits by any number of workers.
func TestNetwork(t *testing.T) {
	r, cases := testseed.Rand(t), 30
	if long.Tests() {
		cases = 400
	}
	for i := range cases {
		data := neuraltest.RandomData(r)
		if i%5 == 0 {
			large(r, data)
		}
		for i := range data.Inputs["x"].Of { // some of it is sparse
			data.Inputs["x"].Of[i] *= float64(r.IntN(2))
		}
		p := neuraltest.Grow(r, r.IntN(3) == 0, data)
		want, err := dataflow.Evaluate(p.Values, data)
		if err != nil {
			t.Fatal(err)
		}
		n, roots := run[float64](t, p, data, 1+r.IntN(4), r.IntN(2) == 0)
		single, _ := run[float32](t, p, data, 1, r.IntN(2) == 0)
		again, _ := run[float32](t, p, data, 2+r.IntN(4), r.IntN(2) == 0)
		for _, v := range roots {
			var size float64
			for _, x := range want[v].Of {
				size = max(size, math.Abs(x))
			}
			for j, x := range want[v].Of {
				if got := n.Of(v)[j]; math.Abs(got-x) > 1e-9*(1+size) {
					t.Fatalf("%v, number %d: %v, want %v", v, j, got, x)
				}
				if got := single.Of(v)[j]; math.Float32bits(got) != math.Float32bits(again.Of(v)[j]) {
					t.Fatalf("%v, number %d: %v by one worker, %v by several", v, j, got, again.Of(v)[j])
				}
			}
		}
	}
}

// What one wave does not store, since a gather alone reads it, a later wave of the same stage may have to make.
func TestNetwork_FusedInOneWave(t *testing.T) {
	r := testseed.Rand(t)
	data := neuraltest.RandomData(r)
	large(r, data)
	b := dataflow.NewBuilder(false)
	x := b.Input("x", 4)
	larger := b.Binary(dataflow.Max, b.At(dataflow.AtSource, x), b.At(dataflow.AtTarget, x))
	message := b.Binary(dataflow.Multiply, b.Property("weight"), larger)
	sum := b.Gather(dataflow.GatherSum, dataflow.AtTarget, message)
	above := b.Binary(dataflow.Greater, message, b.At(dataflow.AtTarget, sum))
	count := b.Gather(dataflow.GatherSum, dataflow.AtTarget, above)
	p := dataflow.Compile(b, b.SumRows(b.SumParts(count, 1)), count, nil)
	if stages := dataflow.NewSchedule(p.Values, p.Output).Once; len(stages) != 1 || len(stages[0].Waves) < 2 {
		t.Fatalf("the second sum is not made in a second wave:\n%v", dataflow.NewSchedule(p.Values, p.Output))
	}
	want, err := dataflow.Evaluate(p.Values, data)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := run[float64](t, p, data, 2, false)
	if !slices.Equal(n.Of(p.Output), want[p.Output].Of) {
		t.Error("the sums of the second wave are of something else")
	}
}

// What is held is computed as what is fused, and the edges of a whole section are held at a time: of each as many
// numbers as its stage says. Nothing is held otherwise.
func TestNetwork_Held(t *testing.T) {
	r, most := testseed.Rand(t), 0
	for i := range 12 {
		data := neuraltest.RandomData(r)
		if i%3 == 0 {
			large(r, data)
		}
		p := neuraltest.Grow(r, false, data)
		held, _ := p.Held(nil)
		fused, roots := run[float64](t, p, data, 1+r.IntN(3), false)
		got, heldRoots := run[float64](t, held, data, 1+r.IntN(3), false)
		for k, v := range roots {
			want := fused.Of(v)
			for j, x := range got.Of(heldRoots[k]) {
				if math.Abs(x-want[j]) > 1e-9*(1+math.Abs(want[j])) {
					t.Fatalf("%v, number %d: %v held, %v fused", v, j, x, want[j])
				}
			}
		}
		want := 0
		for _, stages := range [][]dataflow.Stage{got.schedule.Once, got.schedule.Epoch} {
			for _, stage := range stages {
				for _, w := range stage.Waves {
					numbers := 0
					for _, v := range w.Edges {
						if v.Op == dataflow.Hold {
							numbers += v.Width
						}
					}
					want = max(want, numbers*got.sections()[stage.End].edges)
				}
			}
		}
		if has := got.held(); has != want || fused.held() != 0 {
			t.Errorf("%d numbers of edges are held, not %d; %d where they are fused", has, want, fused.held())
		}
		most = max(most, want)
	}
	if most < 2000 {
		t.Errorf("at most %d numbers are held: no section of many edges", most)
	}
}
