package neuraltest

import (
	"fmt"
	"math/rand/v2"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// grower grows a random dataflow.
type grower struct {
	*rand.Rand
	*dataflow.Builder
	data       *dataflow.Data
	parameters []*dataflow.Value
	vertices   []*dataflow.Value // widths 1, 2 or 4
	edges      []*dataflow.Value
}

func (g *grower) parameter(rows, width int) *dataflow.Value {
	name := fmt.Sprintf("p%d", len(g.parameters))
	p := g.Parameter(name, rows, width)
	r := rand.New(rand.NewPCG(uint64(len(g.parameters)), g.data.Dropout.Seed))
	g.data.Parameters[name] = Normal(r, dataflow.NewMatrix(rows, width))
	g.parameters = append(g.parameters, p)
	return p
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// smooth keeps x where op is defined, and small.
func (g *grower) smooth(op dataflow.Op, x *dataflow.Value) *dataflow.Value {
	away := func(x *dataflow.Value) *dataflow.Value {
		return g.Binary(dataflow.Add, g.Unary(dataflow.Softplus, x, 0), g.Number(0.5))
	}
	switch op {
	case dataflow.Log, dataflow.Sqrt, dataflow.Divide:
		return away(x)
	case dataflow.Exp:
		return g.Unary(dataflow.Tanh, x, 0)
	}
	return x
}

// element makes a value of values at the same place.
func (g *grower) element(of []*dataflow.Value) *dataflow.Value {
	x := pick(g.Rand, of)
	switch g.IntN(9) {
	case 0, 1:
		op := dataflow.Negate + dataflow.Op(g.IntN(int(dataflow.Abs-dataflow.Negate)+1))
		return g.Unary(op, g.smooth(op, x), 0.2)
	case 2, 3, 4:
		y := pick(g.Rand, of)
		if g.IntN(4) == 0 {
			y = g.parameter(1, pick(g.Rand, []int{1, 2, 4}))
			if g.IntN(2) == 0 { // parameters may be combined before they meet a vertex
				y = g.Unary(dataflow.Tanh, g.Product(g.parameter(1, 2), g.parameter(2, y.Width)), 0)
			}
		}
		op := dataflow.Add + dataflow.Op(g.IntN(int(dataflow.Max-dataflow.Add)+1))
		return g.Binary(op, x, g.smooth(op, y))
	case 5:
		return g.Product(x, g.parameter(x.Width, pick(g.Rand, []int{1, 2, 4})))
	case 6:
		return g.SumParts(x, (x.Width+1)/2)
	case 7:
		return g.Binary(dataflow.Multiply, x, g.Mask(x, 0.5, g.IntN(3)))
	}
	if x.Width == 2 {
		return g.Join(x, g.Spread(g.Part(x, 1, 1), 2))
	}
	return g.Part(x, x.Width/2, (x.Width+1)/2)
}

// Grow makes a program of random values and a loss that all of them are part of.
func Grow(r *rand.Rand, plain bool, data *dataflow.Data) *dataflow.Program {
	g := &grower{Rand: r, Builder: dataflow.NewBuilder(plain), data: data}
	x := g.Input("x", 4)
	g.vertices = []*dataflow.Value{x, g.Product(x, g.parameter(4, 2))}
	for range 2 {
		g.edges = []*dataflow.Value{g.Property("weight"), g.At(dataflow.AtSource, pick(r, g.vertices)),
			g.At(dataflow.AtTarget, pick(r, g.vertices)), g.At(dataflow.AtSource, g.vertices[1])}
		for range r.IntN(5) {
			g.edges = append(g.edges, g.element(g.edges))
		}
		for range 2 {
			op := pick(r, []dataflow.Op{dataflow.GatherSum, dataflow.GatherMax})
			g.vertices = append(g.vertices, g.Gather(op, dataflow.End(r.IntN(2)), g.edges[len(g.edges)-1-r.IntN(2)]))
		}
		for range r.IntN(4) {
			g.vertices = append(g.vertices, g.element(g.vertices))
		}
	}
	last := g.Unary(dataflow.Tanh, g.vertices[len(g.vertices)-1], 0)
	logits := g.Product(last, g.parameter(last.Width, 4))
	loss := g.SumRows(g.CrossEntropy(logits, g.Input("wanted", 1)))
	for _, v := range g.vertices {
		loss = g.Binary(dataflow.Add, loss, g.SumRows(g.SumParts(g.Unary(dataflow.Tanh, v, 0), 1)))
	}
	return dataflow.Compile(g.Builder, loss, logits, g.parameters)
}
