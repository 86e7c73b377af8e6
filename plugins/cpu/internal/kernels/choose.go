package kernels

import (
	"fmt"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// Input is what a kernel is made from. It may be allocated later.
type Input struct {
	Code     *compile.Code
	Pool     parallel.Pool
	Frontier *Frontier
	Acc      *Accumulators
	Messages *Messages
	title    string
	weights  int // among the program's edge columns; -1: none
}

// edgeNames is what an edge does to a message, in the name of a kernel.
var edgeNames = [...]string{shape.Unweighted: "", shape.Plus: " + edge", shape.Times: " * edge",
	shape.Least: " min edge", shape.Largest: " max edge"}

// Choose finds the edge kernel of a program: a fused loop for its shape, or the
// vectorized evaluation of Process.
func Choose(in Input) Kernel {
	p := in.Code
	if p.Residue != nil {
		return newVectorized(in)
	}
	if p.Selection != nil {
		return &selectGather{selection: p.Selection, acc: in.Acc, messages: &in.Messages.Column.Floats}
	}
	if in.weights = -1; p.Process.Weighting != shape.Unweighted {
		in.weights = p.EdgeColumn(p.Process.EdgeColumn)
	}
	in.title = fmt.Sprintf("fused: message%s", edgeNames[p.Process.Weighting])
	switch {
	case p.Pulls:
		return choosePull(in)
	case shape.Accumulates(p.Spec.Reduce) && p.AccType == algorithms.Float:
		return newPushSums[float64](in, &in.Messages.Column.Floats, &in.Acc.Sums.Floats)
	case shape.Accumulates(p.Spec.Reduce):
		return newPushSums[int64](in, &in.Messages.Column.Ints, &in.Acc.Sums.Ints)
	case in.weights < 0:
		return &scatter[int64]{title: in.title, frontier: in.Frontier, acc: in.Acc, messages: &in.Messages.Column,
			weights: in.weights, send: sendKey}
	default:
		return &scatter[float64]{title: in.title, frontier: in.Frontier, acc: in.Acc, messages: &in.Messages.Column,
			weights: in.weights, send: senders[p.Process.Weighting]}
	}
}

// choosePull finds the fused loop of rows that add up their sources.
func choosePull(in Input) Kernel {
	p := in.Code
	sums := p.Spec.Reduce == algorithms.Sum && in.weights < 0
	switch {
	case p.SendsSingles():
		return &gather[float64, float32]{title: in.title + " in f32", acc: in.Acc, weights: in.weights,
			messages: &in.Messages.Singles,
			fold:     gatherSum[float64, float32], sums: sums}
	case p.AccType == algorithms.Float:
		return &gather[float64, float64]{title: in.title, acc: in.Acc, weights: in.weights,
			messages: &in.Messages.Column.Floats,
			fold:     floatFold(p.Spec.Reduce, p.Process.Weighting), sums: sums}
	default:
		return &gather[int64, int64]{title: in.title, acc: in.Acc, weights: in.weights, messages: &in.Messages.Column.Ints,
			fold: plainFold[int64](p.Spec.Reduce), sums: sums}
	}
}

// ChooseBottomUp finds the kernel that may stand in for edges, a push, in iterations over all
// chunks; nil: there is none.
func ChooseBottomUp(in Input, edges Kernel, graph plugins.Graph) *BottomUp {
	_, keys := edges.(*scatter[int64])
	if !keys || !in.Code.Improves() || graph.Directed && in.Code.Spec.Edges != algorithms.BothSides {
		return nil
	}
	return &BottomUp{pool: in.Pool, frontier: in.Frontier, acc: in.Acc, messages: &in.Messages.Column.Ints}
}
