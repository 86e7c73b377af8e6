package cpu

import (
	"fmt"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/shape"
)

// kernelInput is what a kernel is made from. It may be allocated later.
type kernelInput struct {
	code     *code
	pool     parallel.Pool
	frontier *frontier
	acc      *accumulators
	messages *messages
	title    string
	weights  int // among the program's edge columns; -1: none
}

// edgeNames is what an edge does to a message, in the name of a kernel.
var edgeNames = [...]string{shape.Unweighted: "", shape.Plus: " + edge", shape.Times: " * edge", shape.Least: " min edge", shape.Largest: " max edge"}

// chooseKernel finds the edge kernel of a program: a fused loop for its shape, or the
// vectorised evaluation of Process.
func chooseKernel(in kernelInput) edgeKernel {
	p := in.code
	if p.residue != nil {
		return newVectorised(in)
	}
	if p.gate != nil {
		return &gated{gate: p.gate, acc: in.acc, messages: &in.messages.column.Floats}
	}
	if in.weights = -1; p.process.Weighting != shape.Unweighted {
		in.weights = p.edgeColumn(p.process.EdgeColumn)
	}
	in.title = fmt.Sprintf("fused: message%s", edgeNames[p.process.Weighting])
	switch {
	case p.pulls:
		return choosePull(in)
	case shape.Accumulates(p.spec.Reduce) && p.accType == algorithms.Float:
		return newAccumulate[float64](in, &in.messages.column.Floats, &in.acc.sums.Floats)
	case shape.Accumulates(p.spec.Reduce):
		return newAccumulate[int64](in, &in.messages.column.Ints, &in.acc.sums.Ints)
	case in.weights < 0:
		return &scatter[int64]{title: in.title, frontier: in.frontier, acc: in.acc, messages: &in.messages.column, weights: in.weights, send: sendKey}
	default:
		return &scatter[float64]{title: in.title, frontier: in.frontier, acc: in.acc, messages: &in.messages.column, weights: in.weights, send: senders[p.process.Weighting]}
	}
}

// choosePull finds the fused loop of rows that add up their sources.
func choosePull(in kernelInput) edgeKernel {
	p := in.code
	sums := p.spec.Reduce == algorithms.Sum && in.weights < 0
	switch {
	case p.sendsSingles():
		return &gather[float64, float32]{title: in.title + " in f32", acc: in.acc, weights: in.weights, messages: &in.messages.singles,
			fold: gatherSum[float64, float32], sums: sums}
	case p.accType == algorithms.Float:
		return &gather[float64, float64]{title: in.title, acc: in.acc, weights: in.weights, messages: &in.messages.column.Floats,
			fold: floatFold(p.spec.Reduce, p.process.Weighting), sums: sums}
	default:
		return &gather[int64, int64]{title: in.title, acc: in.acc, weights: in.weights, messages: &in.messages.column.Ints,
			fold: plainFold[int64](p.spec.Reduce), sums: sums}
	}
}

// chooseBottomUp finds the kernel that may stand in for edges, a push, in iterations over all
// chunks; nil: there is none.
func chooseBottomUp(in kernelInput, edges edgeKernel, graph plugins.Graph) *bottomUp {
	_, keys := edges.(*scatter[int64])
	if !keys || !in.code.improves() || graph.Directed && in.code.spec.Edges != algorithms.BothSides {
		return nil
	}
	return &bottomUp{pool: in.pool, frontier: in.frontier, acc: in.acc, messages: &in.messages.column.Ints}
}
