package plugins

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/arena"
)

// ExtensionNetworks computes passes of a neural network: forward, and backward for what is learned. The task has a
// Network in place of a program, and by Plan.Networks the device says that it takes it up. Compile answers
// KindUnsupported, naming the operator, where it has no kernel for a value.
//
// Init begins. Then the chunks of Plan.Directions come, each in one Step or in pieces, and Apply says that all have
// come; the device keeps what it needs of them, and they may go. After that each Pass computes the roots of one of
// Network.Passes from the parameters as they are in the arena then. The host learns: it changes the parameters
// between passes.
//
// A pass has the same bits whenever parameters, seed and epoch are the same, and however chunks are cut; on another
// device sums may be taken in another order.
const ExtensionNetworks Extension = "networks"

// Pass has the device compute Network.Passes[Command.Pass]. Dropouts are those of Command.Seed and Command.Epoch. It
// comes after Apply, any number of times. It needs a Plan that says Networks.
const Pass Op = Deliver + 1

// Network is a neural network over a graph, and where its numbers lie in the arena. All of them are float32.
type Network struct {
	Values []*dataflow.Value // arguments before what is made of them
	// Inputs are those of Values, but for in_degree and out_degree, which the device counts: how many neighbors send to
	// a vertex, and to how many it sends.
	Inputs     []Tensor
	Parameters arena.Range // all of Values, in their order, row by row
	Passes     []NetworkPass
	SelfLoops  bool // each vertex is a neighbor of itself, once, whatever loops the graph has
}

// Tensor is the rows of an input, one for each vertex: all numbers, or those that are not 0.
type Tensor struct {
	Name    string
	Numbers arena.Range // float32
	// Offsets says where the row of each vertex begins in Numbers and Columns, and where the last ends: int64, Vertices+1
	// of them. The zero Range: all numbers are there.
	Offsets arena.Range
	Columns arena.Range // uint32: of each of Numbers, its place in the row; they ascend
}

// NetworkPass is values to compute, and where they go: the rows of one after those of the other.
type NetworkPass struct {
	Roots []*dataflow.Value // at vertices, or parameters
	At    arena.Range
	Drops bool // dropouts drop, as they do while a model learns
}
