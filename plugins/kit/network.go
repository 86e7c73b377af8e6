package kit

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// NetworkRunner is a Program that computes passes of a neural network: the extension that a task asks for by
// Task.Network. Step takes the lists of a chunk, and Apply comes when all have come. Iterate is never called.
type NetworkRunner interface {
	Program
	// Pass computes the roots of a pass of the network, and returns how many edges it has looked at. What a dropout
	// drops is up to it and the pass.
	Pass(ctx context.Context, number int, dropout dataflow.Dropout) (edges uint64, err error)
}
