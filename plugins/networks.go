package plugins

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/arena"
)

// ExtensionNetworks computes passes of a neural network: forward, and backward for what is learned. The task has a
// Network in place of a program, and by Plan.Networks the device says that it takes it up. Compile answers
// KindUnsupported, naming the operator, where it has no kernel for a value.
//
// Init begins. Then the chunks of Plan.Directions come, each in one Step or in pieces, and Apply says that all have
// come; the device keeps what it needs of them, and they may go. After that each Pass computes the roots of one of
// Network.Passes from the parameters as they are in the arena then, and so of the inputs that vary,
// all numbers of which are there. The host learns: it changes the parameters, and the rows of these inputs, between
// passes.
//
// With Network.Grid neither edges nor rows of vertices stay on the device, which says Plan.Grid: see Grid.
//
// A pass has the same bits whenever parameters, seed and epoch are the same, and however chunks are cut; on another
// device sums may be taken in another order.
const ExtensionNetworks Extension = "networks"

// Pass has the device compute Network.Passes[Command.Pass]. Dropouts are those of Command.Seed and Command.Epoch. It
// comes after Apply, any number of times. It needs a Plan that says Networks.
const Pass Op = Deliver + 1

// What comes before Pass where the task has a Grid, once Init has begun: package algorithms/neural/grid tells the
// order, and what lies in a region.
const (
	// Rows computes the rows of a wave for an interval of vertices. For the first wave, Command.Piece.Slot names the
	// region of Grid.Rows that has what the stage reads of the interval. After the last wave what the stage stores is
	// there, and after the last interval as well the stage has ended.
	Rows Op = Pass + 1
	// Cell adds up along the edges of a cell, which are in the region of Grid.Cells that Command.Piece.Slot names.
	Cell Op = Rows + 1
	// Reduce, where Grid.Shared is, comes after the last Rows of an interval of a stage that adds up something: the device
	// adds what each section of the interval has come to, one after the other, to what is at Grid.Sums.
	Reduce Op = Cell + 1
	// Reduced, where Grid.Shared is, ends a stage: what is at Grid.Sums is of all vertices. It comes to devices that have
	// no interval as well.
	Reduced Op = Reduce + 1
)

// Network is a neural network over a graph, and where its numbers lie in the arena. All of them are float32.
type Network struct {
	Values []*dataflow.Value // arguments before what is made of them
	// Inputs are those of Values, but for in_degree and out_degree, which the device counts: how many neighbors send to
	// a vertex, and to how many it sends.
	Inputs     []Tensor
	Parameters arena.Range // all of Values, in their order, row by row
	Passes     []NetworkPass
	SelfLoops  bool    // each vertex is a neighbor of itself, once, whatever loops the graph has
	Grid       *Grid   // nil: everything lies in the arena, and stays on the device
	Batch      *Batch  // of passes that are Batched: see ExtensionBatches
	Halves     *Halves // nil: the device computes whole passes; else see ExtensionHalves
}

// Grid has a network computed interval by interval. The host keeps edges and rows, and brings them: no chunk comes, and
// no Apply. Inputs say only which of them come sparse (Offsets is not the zero Range); degrees are among them. A pass
// is Rows and Cells, and at last Pass itself, which leaves the parameters among its roots; other roots the host has.
type Grid struct {
	Sections [2][]uint64    // by dataflow.End: section k is the vertices from Sections[end][k] on to the next
	Each     uint32         // sections of an interval; the last may have fewer
	Rows     [2]arena.Range // two of each: one is filled while the device reads the other
	Cells    [2]arena.Range
	// Shared has other devices compute other intervals. What a stage adds up over rows and edges, and it leaves as
	// parameters (dataflow.Stage.Added), the host passes on from one to the next, in the order of intervals.
	Shared bool
	Sums   arena.Range // the numbers of Added, one after the other; the zero Range: no stage adds up anything
	// Stays, with Shared, has Sections be those of the device's own vertices: at each end one interval, or none. Its rows
	// and edges stay in the region that the end is the number of, as grid.Staying says: edges come once, and the host
	// renews the rows that other devices have stored. The same regions at both ends: so are lists, and both have one.
	Stays bool
}

// Intervals is how many there are of vertices at an end.
func (g *Grid) Intervals(end dataflow.End) int {
	return (len(g.Sections[end]) + int(g.Each) - 2) / int(g.Each)
}

// Interval is one by its number.
func (g *Grid) Interval(end dataflow.End, number int) chunk.Interval {
	sections, first := g.Sections[end], number*int(g.Each)
	last := min(first+int(g.Each), len(sections)-1)
	return chunk.Interval{Base: sections[first], Count: sections[last] - sections[first]}
}

// Piece is a part of a pass.
type Piece struct {
	Once     bool // the stage is one of dataflow.Schedule.Once, else of Epoch
	Stage    uint32
	Interval uint32 // of vertices at the stage's End
	Wave     uint32
	Slot     uint32 // 0 or 1
	Sources  uint64 // of a Cell
	Edges    uint64 // of a Cell
}

// Tensor is the rows of an input, one for each vertex: all numbers, or those that are not 0.
type Tensor struct {
	Name    string
	Numbers arena.Range // float32
	// Offsets says where the row of each vertex begins in Numbers and Columns, and where the last ends: int64,
	// Vertices+1 of them. The zero Range: all numbers are there.
	Offsets arena.Range
	Columns arena.Range // uint32: of each of Numbers, its place in the row; they ascend
}

// NetworkPass is values to compute, and where they go: the rows of one after those of the other.
type NetworkPass struct {
	Roots []*dataflow.Value // at vertices, or parameters
	At    arena.Range
	Drops bool // dropouts drop, as they do while a model learns
	// Batched: over the graph that Network.Batch has, and Command.Batch tells the size of. Roots at vertices have as many
	// rows as that.
	Batched bool
}
