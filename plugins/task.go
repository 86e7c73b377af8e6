package plugins

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Task is what a session computes: Program, Procedure or Network, one of them set.
type Task struct {
	Program   *algorithms.Program
	Procedure string
	Args      algorithms.Args // of the procedure
	Network   *Network        // see ExtensionNetworks
	Layout    Layout
	// ActiveRows: the host would cut chunks to the rows of active vertices, if the plan says so
	// too. A device may take no notice.
	ActiveRows bool
	// Places: and to those entries of their lists that an Iteration names.
	Places bool

	Settle     bool                    // see ExtensionSettle
	Restorable bool                    // see ExtensionRestore
	Share      *chunk.Interval         // see ExtensionShares; nil: all vertices
	Part       bool                    // see ExtensionParts
	Passes     bool                    // of a procedure: see ExtensionPasses
	Nearest    bool                    // with Settle: see ExtensionNearest
	Joins      bool                    // with Share: see ExtensionJoins
	Intervals  bool                    // see ExtensionIntervals
	Lanes      [][]algorithms.Constant // see ExtensionLanes; nil: one, with the program's constants
}

// Layout says where vertex columns lie in the arena. Columns are those that
// algorithms.VertexColumns and, for procedures, Algorithm.Result name: the inputs id,
// out_degree and in_degree (int64, filled by the host), then state or result columns
// (float64 or int64, 8 bytes a vertex; Bool one byte a vertex), written by the device.
type Layout struct {
	Columns []VertexColumn
	// Active is a bitmap of uint64 words, vertex v at bit v%64 of word v/64: the vertices whose edges
	// the next iteration needs. Those are the vertices that send or, where edges lead both ways, any
	// others whose edges do as well. The device sets it in Init and Apply; the host only reads it,
	// but for what it writes before Restore.
	Active arena.Range
	Rows   []VertexRows // of a procedure: see ExtensionLearns
}

// VertexColumn is one column of Layout: of each vertex a value, or as many as Per says.
type VertexColumn struct {
	algorithms.Column
	Range arena.Range
}

// Plan is a device's answer to Compile.
type Plan struct {
	// Directions are the chunk sets it wants: Out and In of a directed graph, Both of an undirected one.
	Directions []chunk.Direction
	// Fixed is what state, accumulators and scratch take of the budget, without any chunk.
	Fixed uint64
	// Kept is how much of that, at most, the device may hold on to when the session has ended, so that the
	// next on the arena need not make it again. It counts in that one's Fixed as well, or is given up. So does what the
	// session has taken beyond Fixed and its chunks, as it met with edges that nothing foretold.
	Kept uint64
	// Kernel names the code path chosen, for the report: "pull f64 sum", "vectorized" …
	Kernel string
	// ActiveRows: an iteration needs of each chunk only the rows that are active (see
	// Layout.Active). The host need not send the others. Else a chunk is needed whole as soon
	// as a vertex that may send along its edges is active.
	ActiveRows bool

	Settles   bool // see ExtensionSettle
	Restores  bool // see ExtensionRestore
	Shares    bool // see ExtensionShares
	Parts     bool // see ExtensionParts
	Selects   bool // see ExtensionSelects
	Passes    bool // see ExtensionPasses
	Nearest   bool // see ExtensionNearest
	Joins     bool // see ExtensionJoins
	Intervals bool // see ExtensionIntervals
	Networks  bool // see ExtensionNetworks
	Grid      bool // of a network: see Grid
	Batches   bool // of a network: see ExtensionBatches
	Portions  bool // of batches: see ExtensionPortions
	Halves    bool // of a network: see ExtensionHalves
	Learns    bool // of a procedure: see ExtensionLearns
}

// Directions are the chunk sets that bring every message once (Plan.Directions), to a device whose rows receive,
// or to one whose rows send.
func Directions(edges algorithms.Edges, receive, directed bool) []chunk.Direction {
	switch {
	case !directed:
		return []chunk.Direction{chunk.Both}
	case edges == algorithms.BothSides:
		return []chunk.Direction{chunk.Out, chunk.In}
	case (edges == algorithms.Forward) == receive:
		return []chunk.Direction{chunk.In}
	default:
		return []chunk.Direction{chunk.Out}
	}
}
