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
	// File is set for devices that say MapsFiles only: the chunk lies there, at any offset,
	// and may have more edge columns than the task reads. Those are not to be looked at.
	// The file stays as it is as long as a range of the arena would.
	File string
	// Export, of an Upload: another device of the same Description.Peers would copy the chunk from this one. The answer's Export
	// says where it lies, and there it stays as it is until Evict, which comes once the other has it; or until the session is
	// closed, once the other's Execute has ended. A device that cannot leaves the answer's Export empty.
	Export bool
	// Import, of an Upload: what another device has answered in Export. Chunk and At, or File, are as ever: a device
	// that cannot copy from there takes the chunk from them.
	Import string
	// Among is a bitmap like Layout.Active of the vertices that Gather and Deliver are about; the zero
	// Range: all vertices. Of an Upload, where Plan.Selects is, it is those whose rows are wanted, and
	// stays as it is until the answer. The device takes them out of the chunk by itself; it may take others
	// as well, but no more memory, once it has answered, than the whole chunk would.
	Among arena.Range
	// Rounds is the most that Settle may take; 0: as many as the program's Bound.
	Rounds uint32
	// Iteration is what Restore goes on from.
	Iteration Iteration
}

// Chunk is the memory in which an Upload's chunk lies.
func (j Job) Chunk(c Command) ([]byte, error) {
	var bytes []byte
	var err error
	if c.File == "" {
		bytes, err = j.Arena.Bytes(c.At)
	} else {
		bytes, err = j.Arena.File(c.File, c.At)
	}
	if err != nil {
		return nil, Errorf(KindInvalid, "%w", err)
	}
	return bytes, nil
}

// Op is what a Command asks for.
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
	// Settle brings a part of the graph to local convergence: the active vertices of a set,
	// given by At as a bitmap like Layout.Active, send along the resident chunks, which hold
	// all their edges, and are active no more; whoever that changes is active, and if of the
	// set, sends in the next of Rounds rounds. It ends when none of the set is active. Its
	// Iteration counts rounds, and has Converged when nobody is active anywhere. Only where
	// Task.Settle says so.
	Settle
	// Restore comes in place of Init: the state columns and the active set are as they were,
	// in a session of the same Task, when the device told of Command.Iteration at the end of an
	// Apply, or of a Settle after which nothing else was under way. What follows goes on from
	// there, to the same bits. The answer repeats the Iteration's number; who is active may be
	// others, where the device asks for edges anew. A task that settles counts rounds of its own,
	// which may be more than Program.Bound. Only where Task.Restorable says so. With a
	// Task.Share it also follows each Apply of the session itself; with a Task.Part it may come at
	// any time (see Gather and Deliver).
	Restore
	// Gather comes in place of Apply, and needs a Task.Part: what Steps have brought since Init,
	// Restore, Apply or the last Gather goes to At, a column of accumulators, of the type of acc, where
	// nothing came the identity of Reduce, and is forgotten. Among are all whom edges of the session
	// lead to, at least; of others the column may be left as it is. A message that the default Apply
	// would take no notice of may be left out. State and active set stay as they are: the session has
	// been told them by Restore, with columns that may be the very ranges that another session writes,
	// and is told by Restore what comes of the Apply there.
	Gather
	// Deliver needs a Task.Part. What stands in At of the vertices Among is combined with the
	// accumulators, as if it had come along edges.
	//
	// Where the task steps, it comes before Apply, and At is what another session has gathered.
	//
	// Where it settles, At is the first state column of another session, which may write it at the
	// same time: every value is read by one load, and is one that the column had (with columns of
	// Bool: every byte). Whom it improves has the new state at once, and is active. The answer is an
	// Iteration as that of Settle. A later Restore may make more vertices active than were,
	// to send anew, of those whose first column is not the identity of Reduce: that is how a session
	// goes on alone, once it has been given the others' edges.
	Deliver
)

// Event is news from a session.
type Event struct {
	Seq  uint64 // of the command it belongs to
	Done bool   // the command's last event
	// Released: the range of an Upload may be used again.
	Released bool
	// Export says where another device finds the chunk of an Upload, in words that only devices of the same
	// Description.Peers understand. Only where Command.Export is.
	Export string
	// Imported: the chunk of an Upload has come by Command.Import, not from the arena.
	Imported bool
	// Declined says, for people, why it has not, or why the chunk is not exported. Empty: nothing is wrong.
	Declined string
	// Iteration is set by Init (number 0), Restore, Apply, Iterate and Settle, and by Deliver where
	// the task settles.
	Iteration *Iteration
	// Fraction of a long command that is done, 0 to 1; 0 when not told.
	Fraction float64
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
}
