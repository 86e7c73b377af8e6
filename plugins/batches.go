package plugins

import "github.com/penstock-db/penstock/plugins/arena"

// ExtensionBatches computes passes of a network over small graphs that the host brings, one for each Pass: as of
// sampled neighborhoods of some vertices (GraphSAGE: Hamilton, Ying and Leskovec, NeurIPS 2017). The task's network has
// a Batch, passes that are Batched, and perhaps others, over the whole graph; by Plan.Batches the device says that it
// takes them up. Compile answers KindUnsupported where it does not.
//
// What a batch is of the graph, the device need not know: it is a graph of its own, with lists at both ends of edges,
// the rows of its inputs, and degrees among them. What a dropout drops of row i is what it drops of vertex i.
const ExtensionBatches Extension = "batches"

// ExtensionPortions computes batches that are portions of larger ones, of which other devices have the rest: the
// network's Batch has Rows. By Plan.Portions the device says that it takes it up; Compile answers KindUnsupported where
// it does not. A vertex may be in several portions. What they leave of a gradient or a loss adds up to what the whole
// would: so the seeds of each (the vertices whose loss counts) are its own, and weigh as they do in the whole.
const ExtensionPortions Extension = "portions"

// Batch is where the host puts the graph of a batched Pass before that, and its most. Loops stand in its lists where
// a model wants them. It stays as it is until the Pass is answered.
type Batch struct {
	Vertices uint64 // that a graph has at most
	Edges    uint64
	Lists    [2]BatchLists // by dataflow.End: each edge is at both
	// Inputs are those of the values of batched passes, degrees among them, with room for Vertices rows; of sparse ones,
	// for so many numbers.
	Inputs []Tensor
	// Rows are, of a portion, the rows of its vertices in the whole: uint32. A dropout drops of a vertex, and of an edge,
	// what it drops of these there. The zero Range: the batch is whole.
	Rows arena.Range
}

// BatchLists are the edges at one end of the vertices of a batch, one list after the other.
type BatchLists struct {
	Offsets    arena.Range   // int64: where the list of each vertex begins, and where the last ends
	Others     arena.Range   // uint32: of each edge the vertex at the other end
	Properties []arena.Range // float64: of each edge, as dataflow.EdgeProperties(Network.Values) names them
}

// BatchSize is how much the graph of a batched Pass has.
type BatchSize struct {
	Vertices uint64
	Edges    uint64
}
