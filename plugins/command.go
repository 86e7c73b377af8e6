package plugins

import (
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Command is one thing for a session to do. Seq is the host's; the answer repeats it.
type Command struct {
	Seq uint64
	Op  Op
	// Chunk names a chunk within the run: Upload, Evict and Step.
	Chunk uint32
	// At is where Upload finds the chunk in the arena, or in File, encoded as formats/chunk says.
	At arena.Range

	File      string      // of an Upload: see ExtensionFiles
	Among     arena.Range // see ExtensionSelects and Gather; the zero Range: all vertices
	Rounds    uint32      // the most that Settle may take; 0: as many as the program's Bound
	Iteration Iteration   // what Restore goes on from
	Pass      uint32      // see the Op of that name
	Piece     Piece       // of Rows, Cell, Reduce and Reduced
	Seed      uint64      // of a Pass: what its dropouts drop
	Epoch     uint32      // of a Pass: likewise
	Batch     BatchSize   // of a Pass that is Batched

	// More: another command follows at once, and nobody waits for this one's answer. The two may travel together, and
	// so may their answers. To obey a command it means nothing.
	More bool
}

// Op is what a Command asks for: those of the core, then those of extensions (Settle, Restore, Gather, Deliver, Pass,
// Rows, Cell, Reduce, Reduced).
type Op uint8

const (
	// Upload makes a chunk resident. A device that copies answers Released at once; one
	// that reads the arena in place keeps the range until Evict.
	Upload Op = iota + 1
	// Evict forgets a resident chunk.
	Evict
	// Init evaluates the initial state and the first active set. It comes before Step,
	// Apply and Iterate.
	Init
	// Step sends the messages of a resident chunk's edges. Between Init or Apply and the next
	// Apply it comes for every chunk that has active vertices (see Plan.Directions), once. A device
	// that does not stream answers KindUnsupported; it is then given only what fits it whole.
	Step
	// Apply ends an iteration: new state, new active set, convergence. Of a program of which
	// only the last state counts (see Iterate), iterations are the device's own rounds here too.
	Apply
	// Iterate does Step over all resident chunks and Apply until the program has
	// converged, and tells of each by an Iteration event; the last may repeat the one before.
	// All chunks that the plan asks for are then resident: a device may go along the edges
	// of an iteration from either end. Of a program that is Monotone, not Exactly, and without
	// MaxIterations, only the last state counts: a device may then apply messages in any
	// order, and iterations are its own rounds.
	Iterate
	// Call runs the task's procedure over the resident chunks.
	Call
)

// Event is news from a session.
type Event struct {
	Seq  uint64 // of the command it belongs to
	Done bool   // the command's last event
	// Released: the range of an Upload may be used again.
	Released bool
	// Iteration is set by Init (number 0), Restore, Apply, Iterate and Settle, and by Deliver where
	// the task settles; by Call only where a Cycle is in the way of a result.
	Iteration *Iteration
	// Fraction of a long command that is done, 0 to 1; 0 when not told.
	Fraction float64
	Epoch    *Epoch        // of Call: see ExtensionLearns
	Work     []Work        // likewise
	Transfer time.Duration // spent making chunks resident: copying, checking; by this command
	Compute  time.Duration // spent in kernels, by this command
	Bytes    uint64        // copied to the device, by this command
	Edges    uint64        // edges processed, by this command
	Resident uint64        // bytes of the budget in use now
	Peak     uint64        // the most so far in this session
	Err      error         // why the command failed; an *Error once it has crossed the wire
}

// Iteration is the state of a program after Init or Apply.
type Iteration struct {
	Number int     // iterations applied so far
	Active uint64  // vertices in the active set (Layout.Active): who send next
	Change float64 // by the program's norm
	// Converged: nothing more to do. The program has done Program.Bound iterations; or,
	// unless Exactly, nobody is active (after Init: there are no vertices) or Change is
	// within the Tolerance of its Norm.
	Converged bool
	// Places: of each row that is active, the next iteration needs no more than the entries that
	// stand there in its list, which make a list by themselves; or the whole list, where the host
	// does not cut it. Only where Task.Places and Plan.ActiveRows are; the zero value is the whole
	// list.
	Places chunk.Places
	// Looked is, of an Apply, what the session has looked at in the iteration; in the Restore after it, what all have
	// that join. Only with ExtensionJoins.
	Looked Looked
	// Complete: of a Restore, the state is what all sessions that join have brought, this one's part as well. Only with
	// ExtensionJoins.
	Complete bool
	// Cycle ends a run that has no result, of a program with Diverged: its vertices, all active, have
	// ever better values. Converged is set, and Change above the Tolerance. Nil: none was found. Of a procedure that
	// takes no cycles it is one of the graph, and Converged is all that is set beside it.
	Cycle *Cycle
}

// Looked is what sessions have looked at, each along its own edges, in lists that it was to find something in. By it a
// session tells how far into lists it pays to look.
type Looked struct {
	Entries uint64 // up to the first of each list that was found
	Given   uint64 // that these lists had
}

// Plus is what two have looked at together.
func (l Looked) Plus(m Looked) Looked { return Looked{l.Entries + m.Entries, l.Given + m.Given} }

// Cycle is a closed walk along the edges of a program.
type Cycle struct {
	Vertices []uint64 // dense, each once, in the order in which messages pass; an edge leads from the last to the first
}
