// Package plugins is the contract between the host and a device plugin. It knows no
// store and no kernel; the host and the devices meet here and nowhere else.
//
//	host ──Describe, Open, Compile──▶ Device, Session        small calls
//	host ──Upload, Step, Apply …────▶ Session.Execute        one long stream
//	host ◀─────────Event──────────── Session.Execute
//	 │                                   │
//	 └──────────── arena ────────────────┘                   chunks and state, shared memory
//
// Topology and state never cross the stream: commands carry offsets into the arena,
// which both sides have mapped, or into a file that the host has and a device that can maps
// as well. The host owns every range of it. A device may read an
// uploaded range until it has said Released or answered Evict, and may write the
// state columns of the Layout while a command runs.
//
// device.go, command.go and errors.go are the contract; proto/ and wire.go carry it
// over go-plugin's gRPC; serve.go is what a plugin's main calls.
package plugins

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Protocol is the range of contract versions that this package speaks. A host and a
// plugin use the highest version that both have.
const (
	ProtocolMin = 1
	ProtocolMax = 1 // 1: the first (programs, procedures, one arena)
)

// Description is what a device says of itself before anything is asked of it.
type Description struct {
	Name          string // "cpu", "cuda" …
	Version       string // of the plugin
	Hardware      string // for people: processor or card, driver
	Memory        uint64 // bytes of device memory; 0: the host's own
	LinkBandwidth uint64 // bytes per second from the arena to the device; 0: reads the arena in place
	Threads       int    // how many workers it would use
	Procedures    []string
	// MapsFiles: Upload may name a file that holds the chunk (Command.File), and the device
	// reads it there, by Job.Chunk and chunk.OpenUnaligned.
	MapsFiles bool
	// Lanes is how many sets of constants (Task.Lanes) a session takes at once; 0: one program at a time.
	Lanes int
	// Peers names the way by which the device gives chunks to other devices, and takes them from these, without the
	// arena (Command.Export, Command.Import). Those that name the same understand each other. Empty: none.
	Peers string
}

// Device opens sessions. Its methods may be called from several goroutines.
type Device interface {
	Describe(ctx context.Context) (Description, error)
	Open(ctx context.Context, job Job) (Session, error)
}

// Job is what a session is opened with.
type Job struct {
	// Arena is mapped; the session must not close it. What lies in a range that was uploaded
	// and never evicted, in the arena or a file, stays as it is, also for later sessions on the
	// arena, until another chunk, whose trailer differs, is put there: a device may remember
	// what it has found out.
	Arena   *arena.Arena
	Budget  uint64 // bytes that state, resident chunks and scratch may take together; 0: no bound
	Threads int    // 0: as many as Describe says
	Graph   Graph
}

// Graph is what a device knows of the graph beyond its chunks.
type Graph struct {
	Name     string
	Snapshot uint64
	Vertices uint64
	Edges    uint64 // as the user counts: an undirected edge is one
	Directed bool
	// Linked is how many vertices have an edge in the chunks that the session will be given, so that
	// a device that takes memory by pairs of vertices can say at Compile what that comes to. 0: not
	// known, up to Vertices.
	Linked uint64
}

// Session is one run on one device. Compile is called once, then Execute once.
type Session interface {
	// Compile prepares a task and says what it takes. It fails with KindUnsupported,
	// naming the operator, when the device cannot run it, and with KindBudget when
	// not even one chunk of minimal size would fit beside the state.
	Compile(ctx context.Context, task Task) (Plan, error)
	// Execute obeys commands until the channel closes, ctx ends or a command fails.
	// Each command is answered by exactly one event with Done set and its Seq; other
	// events may come before that one. emit may be called from several goroutines.
	Execute(ctx context.Context, commands <-chan Command, emit func(Event)) error
	Close() error
}

// Task is what a session computes: Program or Procedure, one of them set.
type Task struct {
	Program   *algorithms.Program
	Procedure string
	Args      algorithms.Args // of the procedure
	Layout    Layout
	// ActiveRows: the host would cut chunks to the rows of active vertices, if the plan says so
	// too. A device may take no notice.
	ActiveRows bool
	// Places: and to those entries of their lists that an Iteration names.
	Places bool
	// Settle: the host would drive the program by Settle alone, not by Step, Apply and Iterate.
	// Compile answers KindUnsupported to programs that the device cannot settle, else with a
	// plan that says Settles.
	Settle bool
	// Restorable: between commands the host would copy the state columns and the active set, and
	// give them to a later session to Restore. It drives the program by Step and Apply, or by
	// Settle, then, even when all chunks are resident. A device that cannot do it may take no notice.
	Restorable bool
	// Share: several devices work on the program together, and of the state this one has only the
	// vertices of the interval to see to; it begins at a multiple of 64. What is sent to others it
	// may drop, and Apply leaves state and active bits of others as it likes, counts none of them and
	// takes no notice of their change. After each Apply the host puts in place what the others have,
	// and sends Restore, with the Iteration of all. Nil: all vertices. It comes with Restorable; Init
	// and Restore are of all vertices nevertheless.
	Share *chunk.Interval
	// Part: the session is given some of the edges, and sessions that work on the same program have
	// the others. It obeys Gather and Deliver then, by which they tell each other what came along
	// their edges. It comes with Restorable. See docs/plugins.md for what the result of such a run is.
	Part bool
	// Lanes: the program is wanted for several sets of constants at once, at most Description.Lanes:
	// in lane i the constants of Lanes[i] take the place of those of the same name (Program.With).
	// The state columns of lane 0, named NAME#0, then those of lane 1 … follow the inputs in
	// Layout.Columns. Active is who is active in some lane, Change the largest of all lanes, and
	// Converged says that all lanes are: in the meantime one that is does no more, or goes on as far
	// as that is no harm. Neither Settle nor Restorable, ActiveRows, Share and Part come with it;
	// the program is driven by Init and Iterate.
	Lanes [][]algorithms.Constant
}

// Layout says where vertex columns lie in the arena. Columns are those that
// algorithms.VertexColumns and, for procedures, Algorithm.Result name: the inputs id,
// out_degree and in_degree (int64, filled by the host), then state or result columns
// (float64 or int64, 8 bytes a vertex; Bool one byte a vertex), written by the device.
type Layout struct {
	Columns []VertexColumn
	// Active is a bitmap of uint64 words, vertex v at bit v%64 of word v/64: whose edges the
	// next iteration needs, which are those who send, or, where edges lead both ways, any
	// others whose edges do as well. The device sets it in Init and Apply; the host only reads it,
	// but for what it writes before Restore.
	Active arena.Range
}

// VertexColumn is one column of Layout: Vertices values.
type VertexColumn struct {
	algorithms.Column
	Range arena.Range
}

// Plan is a device's answer to Compile.
type Plan struct {
	// Directions are the chunk sets it wants: Out and In of a directed graph, Both of an undirected one.
	Directions []chunk.Direction
	// ActiveRows: an iteration needs of each chunk only the rows that are active (see
	// Layout.Active). The host need not send the others. Else a chunk is needed whole as soon
	// as a vertex that may send along its edges is active.
	ActiveRows bool
	// Settles: it will obey Settle, as Task.Settle asked. A device that has never heard of that
	// leaves it out.
	Settles bool
	// Restores: it will obey Restore, as Task.Restorable asked. A device that has never heard of
	// that leaves it out.
	Restores bool
	// Shares: it will see to its share alone, as Task.Share asked. Messages then go from the rows of
	// chunks to their columns where the plan says ActiveRows, else from columns to rows, and
	// of these it is sent only chunks with rows of its share.
	Shares bool
	// Parts: it will obey Gather and Deliver, as Task.Part asked. A device that has never heard of
	// that leaves it out.
	Parts bool
	// Selects: an Upload may say by Command.Among which rows of a chunk are wanted. It is for devices with memory
	// of their own that say ActiveRows, and take the rows out of a chunk that lies whole in the arena by themselves. A
	// device that has never heard of that leaves it out.
	Selects bool
	// Fixed is what state, accumulators and scratch take of the budget, without any chunk.
	Fixed uint64
	// Kept is how much of that, at most, the device may hold on to when the session has ended, so that the
	// next on the arena need not make it again. It counts in that one's Fixed as well, or is given up. So does what the
	// session has taken beyond Fixed and its chunks, as it met with edges that nobody had foretold.
	Kept uint64
	// Kernel names the code path chosen, for the report: "pull f64 sum", "vectorized" …
	Kernel string
}
