// Package schedule decides what a device gets in an iteration, in what form, and in which order. One policy a file;
// each is a function of what is known before the iteration. definitions (parse.go) lists them: a new schedule is a file
// like whole.go and its name in that list.
//
//	active set ─┐
//	chunks ─────┼─▶ Policy ──▶ Loads, in order ──▶ host reads, cuts, uploads, steps them
//	demand ─────┘
//
// A policy never changes a result, only what it costs: every chunk from which an active
// vertex sends must be in its answer.
package schedule

import (
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Chunk is what a policy knows of a chunk, or of what a queue has in its place: a part that fits, or the same rows of
// both directions.
type Chunk struct {
	// Senders are the vertices that may send along the chunk's edges.
	Senders []chunk.Interval
	Rows    uint64
	Edges   uint64
	Bytes   uint64 // encoded, with the edge columns that are needed
	Here    bool   // on the device already
	Stays   bool   // will be on the device from then on, once it is sent whole
	InArena bool   // read already, and needs no reading again
	Seen    bool   // lists have been cut out of it before
	Sent    uint64 // bytes of lists that have been cut out of it
}

// State is what is known before an iteration. Some fields are set only for a schedule whose Needs ask for them; each
// says so.
type State struct {
	Chunks []Chunk
	Active Bitmap
	All    bool // every vertex is active
	// AnyOrder: chunks may come in any order without changing a result by a bit. Otherwise a policy keeps to storage
	// order.
	AnyOrder bool
	// Monotone: messages only ever improve the state that they reach, so that they may be sent in any
	// order and any number of times.
	Monotone bool
	// Waiting is how many edges active vertices have that are not in Active, but wait for nearer ones.
	Waiting uint64
	Rereads bool   // whatever lists are cut out of has to be read again each time
	Room    uint64 // bytes of chunks that the device can have at once
	Gather  bool   // messages go from columns to rows, not from rows to columns
	Selects bool   // the device takes the lists of active vertices out of chunks by itself
	Entry   uint64 // bytes of an edge with its columns; 0: as many as the chunks have on average
	Costs   Costs

	// With Needs.Demand. Demand has, for each chunk, the number of edges that lead away from active vertices, Before has
	// the numbers of the iteration before, and Lists the number of lists that these are in. All are nil if chunks cannot
	// be cut, because their lists are not those of senders.
	Demand, Before, Lists []uint64

	// With Needs.Grid.

	Grid     Grid
	Pipeline Pipeline
	Slot     uint64 // bytes that are put together, at most
	// Took is what each Group of loads of the last answer took, and Pass how long the iteration was; 0: there was none.
	Took []Times
	Pass time.Duration
}

// Load is what is sent of a chunk.
type Load struct {
	Chunk int
	Part  bool // only the lists of active vertices; else all
	// Cols is where the edges lead that are sent; the zero value: anywhere.
	Cols chunk.Interval
	// Group: loads of the same one come one after another and may be put together.
	Group int
	// Rounds is how often the chunk may be gone through while it is on the device, for programs that
	// Settle; UntilConverged: as often as one of its vertices is active.
	Rounds int
}

// Policy answers with what to send: every chunk from which an active vertex may send (State.wanted), each edge once.
type Policy func(State) []Load

// wanted are the chunks from which an active vertex may send.
func (s State) wanted() []int {
	var needed []int
	for i, c := range s.Chunks {
		if s.All || c.active(s.Active) {
			needed = append(needed, i)
		}
	}
	return needed
}

func (c Chunk) active(set Bitmap) bool {
	for _, senders := range c.Senders {
		if set.Any(senders) {
			return true
		}
	}
	return false
}

// share is the part of a chunk's edges that active vertices have; of no demand at all, 0.
func (s State) share(demand []uint64, chunk int) float64 {
	if demand == nil || s.Chunks[chunk].Edges == 0 {
		return 0
	}
	return float64(demand[chunk]) / float64(s.Chunks[chunk].Edges)
}
