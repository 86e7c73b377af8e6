package dataflow_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// passes runs a schedule as a device does that can see no more than it must: what a pass stores is there for others
// when the pass has ended, and all else that it computes is gone with the interval.
type passes struct {
	*testing.T
	data   *dataflow.Data
	known  map[*dataflow.Value]dataflow.Matrix // stored, or parameters that are complete
	ending map[*dataflow.Value]dataflow.Matrix // the same, when the pass has ended
	local  map[*dataflow.Value][]float64       // rows of the vertex at hand
	reads  int                                 // rows of far ends
}

func (p *passes) run(stages []dataflow.Stage, r *rand.Rand) {
	for _, stage := range stages {
		p.ending = map[*dataflow.Value]dataflow.Matrix{}
		for _, v := range stage.Stored {
			p.ending[v] = dataflow.NewMatrix(p.data.Vertices, v.Width)
		}
		for _, v := range stage.Sums {
			p.ending[v] = dataflow.NewMatrix(v.Rows, v.Width)
		}
		for _, w := range stage.Waves {
			for _, v := range w.Gathers {
				if v.Op == dataflow.Outer {
					p.ending[v] = dataflow.NewMatrix(v.Rows, v.Width)
				}
			}
		}
		for _, i := range r.Perm(p.data.Vertices) {
			p.vertex(&stage, i)
		}
		for v, m := range p.ending {
			p.known[v] = m
		}
		for _, v := range stage.Small {
			p.known[v] = p.small(v)
		}
	}
}

func (p *passes) vertex(stage *dataflow.Stage, i int) {
	p.local = map[*dataflow.Value][]float64{}
	for _, w := range stage.Waves {
		gathered := map[*dataflow.Value][]float64{}
		for _, v := range w.Gathers {
			if v.Op != dataflow.Outer {
				gathered[v] = p.gather(v, stage.End, i)
			} else {
				p.eachEdge(stage.End, i, func(e int) {
					dataflow.AddOuter(p.ending[v], p.edge(v.Args[0], stage.End, e), p.edge(v.Args[1], stage.End, e))
				})
			}
		}
		for v, row := range gathered {
			p.local[v] = row
		}
		for _, v := range w.Rows {
			p.local[v] = p.row(v, func(a *dataflow.Value) []float64 { return p.at(a, i) })
		}
	}
	for _, v := range stage.Stored {
		copy(p.ending[v].Row(i), p.local[v])
	}
	for _, v := range stage.Sums {
		if v.Op == dataflow.Outer {
			dataflow.AddOuter(p.ending[v], p.at(v.Args[0], i), p.at(v.Args[1], i))
			continue
		}
		for j, x := range p.at(v.Args[0], i) {
			p.ending[v].Of[j] += x
		}
	}
}

func (p *passes) eachEdge(end dataflow.End, i int, do func(e int)) {
	ends := p.data.Targets
	if end == dataflow.AtSource {
		ends = p.data.Sources
	}
	for e, at := range ends {
		if int(at) == i {
			do(e)
		}
	}
}

func (p *passes) gather(v *dataflow.Value, end dataflow.End, i int) []float64 {
	if v.End != end {
		p.Fatalf("%v is in a pass of the other end", v)
	}
	sum, first := make([]float64, v.Width), true
	p.eachEdge(end, i, func(e int) {
		for j, x := range p.edge(v.Args[0], end, e) {
			switch {
			case v.Op == dataflow.GatherSum:
				sum[j] += x
			case first:
				sum[j] = x
			default:
				sum[j] = math.Max(sum[j], x)
			}
		}
		first = false
	})
	return sum
}

// edge computes an edge value at edge e.
func (p *passes) edge(v *dataflow.Value, end dataflow.End, e int) []float64 {
	switch v.Op {
	case dataflow.Property:
		return []float64{p.data.Properties[v.Name][e]}
	case dataflow.Mask:
		return p.mask(v, dataflow.EdgeRow(uint64(p.data.Sources[e]), uint64(p.data.Targets[e])))
	case dataflow.Source, dataflow.Target:
		i := int(p.data.Sources[e])
		if v.Op == dataflow.Target {
			i = int(p.data.Targets[e])
		}
		if (v.Op == dataflow.Source) == (end == dataflow.AtSource) {
			return p.at(v.Args[0], i)
		}
		p.reads++
		return p.far(v.Args[0], i)
	}
	return p.row(v, func(a *dataflow.Value) []float64 {
		if a.Place == dataflow.Edges {
			return p.edge(a, end, e)
		}
		return nil
	})
}

// at is a row of the vertex at hand.
func (p *passes) at(v *dataflow.Value, i int) []float64 {
	if row := p.local[v]; row != nil {
		return row
	}
	return p.far(v, i)
}

// far is a row that is stored.
func (p *passes) far(v *dataflow.Value, i int) []float64 {
	switch v.Op {
	case dataflow.Input:
		return p.data.Inputs[v.Name].Row(i)
	case dataflow.Mask:
		return p.mask(v, uint64(i))
	}
	m, ok := p.known[v]
	if !ok {
		p.Fatalf("%v is read, but not stored", v)
	}
	return m.Row(i)
}

func (p *passes) mask(v *dataflow.Value, row uint64) []float64 {
	factors := make([]float64, v.Width)
	for j := range factors {
		factors[j] = p.data.Dropout.Factor(v, row, j)
	}
	return factors
}

// row computes a row of rows; parameters are whole.
func (p *passes) row(v *dataflow.Value, of func(*dataflow.Value) []float64) []float64 {
	args := make([]dataflow.Matrix, len(v.Args))
	for i, a := range v.Args {
		if a.Place == dataflow.Parameters {
			args[i] = p.small(a)
		} else {
			args[i] = dataflow.Matrix{Width: a.Width, Of: of(a)}
		}
	}
	return dataflow.ComputeRow(v, args)
}

// small is a parameter.
func (p *passes) small(v *dataflow.Value) dataflow.Matrix {
	if m, ok := p.known[v]; ok {
		return m
	}
	if (v.Op == dataflow.SumRows || v.Op == dataflow.Outer) && v.Args[0].Place != dataflow.Parameters {
		p.Fatalf("%v is read before it is complete", v)
	}
	if v.Op == dataflow.Parameter {
		return p.data.Parameters[v.Name]
	}
	m := dataflow.NewMatrix(v.Rows, v.Width)
	for i := range v.Rows {
		if v.Op == dataflow.SumRows || v.Op == dataflow.Outer {
			break
		}
		var args []dataflow.Matrix
		for _, a := range v.Args {
			arg := p.small(a)
			if v.Op != dataflow.Product && v.Op != dataflow.ProductTransposed || len(args) == 0 {
				arg = dataflow.Matrix{Width: arg.Width, Of: arg.Row(i % arg.Rows())}
			}
			args = append(args, arg)
		}
		copy(m.Row(i), dataflow.ComputeRow(v, args))
	}
	if v.Op == dataflow.Outer {
		x, y := p.small(v.Args[0]), p.small(v.Args[1])
		m = dataflow.NewMatrix(v.Rows, v.Width)
		for i := range x.Rows() {
			dataflow.AddOuter(m, x.Row(i), y.Row(i))
		}
	}
	if v.Op == dataflow.SumRows {
		x := p.small(v.Args[0])
		for i := range x.Rows() {
			for j := range m.Of {
				m.Of[j] += x.Row(i)[j]
			}
		}
	}
	return m
}

// A schedule computes what its values are, pass by pass, whatever the order of vertices.
func TestSchedule(t *testing.T) {
	r, cases := testseed.Rand(t), 60
	if long.Tests() {
		cases = 1000
	}
	for range cases {
		data := neuraltest.RandomData(r)
		program := neuraltest.Grow(r, r.IntN(3) == 0, data)
		compareSchedule(t, program, data, r)
	}
}

func compareSchedule(t *testing.T, program *dataflow.Program, data *dataflow.Data, r *rand.Rand) {
	t.Helper()
	want, err := dataflow.Evaluate(program.Values, data)
	if err != nil {
		t.Fatal(err)
	}
	roots := append([]*dataflow.Value{program.Loss, program.Output}, program.Gradients...)
	s := dataflow.NewSchedule(program.Values, roots...)
	p := &passes{T: t, data: data, known: map[*dataflow.Value]dataflow.Matrix{}}
	p.run(s.Once, r)
	p.run(s.Epoch, r)
	for _, root := range roots {
		if root == nil || root.Op == dataflow.Number {
			continue
		}
		got := p.known[root]
		if root.Place == dataflow.Parameters {
			got = p.small(root)
		}
		for i, x := range want[root].Of {
			if math.Abs(got.Of[i]-x) > 1e-9*(1+math.Abs(x)) {
				t.Fatalf("%v: %v, want %v", root, got.Of[i], x)
			}
		}
	}
}

// The softmax and the sum of a GAT are in one pass, the second: the first multiplies, and edges read what it stores.
func TestSchedule_Passes(t *testing.T) {
	b := dataflow.NewBuilder(false)
	x, w := b.Input("x", 4), b.Parameter("w", 4, 2)
	h := b.Product(x, w)
	e := b.Unary(dataflow.LeakyRelu, b.Binary(dataflow.Add, b.At(dataflow.AtSource, b.SumParts(h, 1)),
		b.At(dataflow.AtTarget, b.SumParts(h, 1))), 0.2)
	most := b.Gather(dataflow.GatherMax, dataflow.AtTarget, e)
	e = b.Unary(dataflow.Exp, b.Binary(dataflow.Subtract, e, b.At(dataflow.AtTarget, most)), 0)
	e = b.Binary(dataflow.Divide, e, b.At(dataflow.AtTarget, b.Gather(dataflow.GatherSum, dataflow.AtTarget, e)))
	out := b.Gather(dataflow.GatherSum, dataflow.AtTarget, b.Binary(dataflow.Multiply, e, b.At(dataflow.AtSource, h)))
	s := dataflow.NewSchedule(b.Values(), out)
	if len(s.Epoch) != 2 || len(s.Epoch[1].Waves) != 3 || len(s.Epoch[1].Waves[2].Gathers) != 2 {
		t.Errorf("%d passes; the second: %+v", len(s.Epoch), s.Epoch)
	}
}

// Features times a dropout are computed again for each pass that multiplies them, and stored only for edges to read.
func TestSchedule_Light(t *testing.T) {
	r := testseed.Rand(t)
	for _, far := range []bool{false, true} {
		b := dataflow.NewBuilder(false)
		data := neuraltest.RandomData(r)
		for data.Vertices < 3 || len(data.Sources) < 3 {
			data = neuraltest.RandomData(r)
		}
		data.Parameters["w"] = neuraltest.Normal(r, dataflow.NewMatrix(4, 2))
		x, w := b.Input("x", 4), b.Parameter("w", 4, 2)
		dropped := b.Binary(dataflow.Multiply, x, b.Mask(x, 0.5, 0))
		h := dropped
		if far {
			h = b.Gather(dataflow.GatherSum, dataflow.AtTarget, b.At(dataflow.AtSource, dropped))
		}
		out := b.Gather(dataflow.GatherSum, dataflow.AtTarget, b.At(dataflow.AtSource, b.Product(h, w)))
		program := dataflow.Compile(b, b.SumRows(b.SumParts(b.Unary(dataflow.Tanh, out, 0), 1)), out, []*dataflow.Value{w})
		compareSchedule(t, program, data, r)
		s := dataflow.NewSchedule(program.Values, append(program.Gradients, program.Loss)...)
		times, stored := 0, false
		for _, stage := range s.Epoch {
			for _, wave := range stage.Waves {
				if slices.Contains(wave.Rows, dropped) {
					times++
				}
			}
			stored = stored || slices.Contains(stage.Stored, dropped)
		}
		if stored != far || !far && times < 2 {
			t.Errorf("read by edges: %v; stored: %v, computed in %d passes", far, stored, times)
		}
	}
}

// Of attention two layers deep what is made element by element of sums is made again backward, and of a product of a
// parameter with a number for each head, the numbers are stored: without that it would be 529 numbers of a vertex.
func TestSchedule_Stored(t *testing.T) {
	m, _ := neural.Lookup("gat")
	m.Sizes = map[string]int{"hidden": 64, "heads": 8}
	c, err := neural.Compile(m, neural.Schema{Features: 1433, Outputs: 7, Task: neural.Classes})
	if err != nil {
		t.Fatal(err)
	}
	s := dataflow.NewSchedule(c.Program.Values, append(c.Program.Gradients, c.Program.Loss)...)
	if _, stored := s.Numbers(); stored != 331 {
		t.Errorf("%d numbers are stored of a vertex", stored)
	}
	for i, stage := range s.Epoch {
		elus := 0
		for _, w := range stage.Waves {
			for _, v := range w.Rows {
				if v.Op == dataflow.Elu {
					elus++
				}
				if v.Op == dataflow.EluSlope && i != 3 {
					t.Errorf("pass %d makes a slope that the fourth needs", i+1)
				}
			}
		}
		if want := []int{0, 1, 0, 1, 0}[i]; elus != want {
			t.Errorf("pass %d makes %d elus, want %d", i+1, elus, want)
		}
	}
}
