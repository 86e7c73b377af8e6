package kit

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
)

// NetworkRunner is a Program that computes passes of a neural network: the extension that a task asks for by
// Task.Network. Step takes the lists of a chunk, and Apply comes when all have come. Iterate is never called.
type NetworkRunner interface {
	Program
	// Pass computes the roots of a pass of the network, and returns how many edges it has looked at. What a dropout
	// drops is up to it and the pass.
	Pass(ctx context.Context, number int, dropout dataflow.Dropout) (edges uint64, err error)
}

// GridRunner is a NetworkRunner that computes a network interval by interval where the task has a plugins.Grid. Step
// and Apply do not come then.
type GridRunner interface {
	NetworkRunner
	// Rows computes the rows of a wave for an interval.
	Rows(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) error
	// Cell adds up along the edges of a cell.
	Cell(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) error
}

// BatchRunner is a NetworkRunner that computes passes over graphs that the host brings, where the task has a
// plugins.Batch. OpenBatch finds what has been brought.
type BatchRunner interface {
	NetworkRunner
	// Batch computes the roots of a batched pass, and returns how many edges it has looked at.
	Batch(ctx context.Context, number int, size plugins.BatchSize, dropout dataflow.Dropout) (edges uint64, err error)
}

// HalfRunner is a NetworkRunner that computes halves of stages, where the task has plugins.Halves.
type HalfRunner interface {
	NetworkRunner
	// Half computes a half for an interval, and returns how many edges it has looked at.
	Half(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) (edges uint64, err error)
}

// Sums parts numbers, as those at plugins.Grid.Sums, among the values that a stage adds up (dataflow.Stage.Added), in
// their order. It fails where there are fewer than those take.
func Sums(numbers []float32, added []*dataflow.Value) (map[*dataflow.Value][]float32, error) {
	all := map[*dataflow.Value][]float32{}
	for _, v := range added {
		size := v.Rows * v.Width
		if len(numbers) < size {
			return nil, plugins.Errorf(plugins.KindInvalid, "sums have room for fewer numbers than a stage adds up")
		}
		all[v], numbers = numbers[:size], numbers[size:]
	}
	return all, nil
}

// SharedGridRunner is a GridRunner that computes some of the intervals, where plugins.Grid.Shared is: other devices
// compute the others.
type SharedGridRunner interface {
	GridRunner
	// Reduce adds up what the sections of the interval at hand have come to, behind those before.
	Reduce(number int, piece plugins.Piece) error
	// Reduced ends a stage, of which all is added up.
	Reduced(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) error
}
