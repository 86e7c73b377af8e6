package drive

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Mode is how a host drives a task.
type Mode struct {
	Name     string
	Streamed bool // a few chunks at a time, Step by Step; otherwise all at once, and Iterate
	Mapped   bool // chunks lie in a file, with all their edge columns, if the device can read them there
	// of a chunk only the rows that are active, if the plan allows it; every other time the device finds them, if it can
	Active     bool
	Passes     bool            // of a procedure: Step by Step; comes with streamed
	Settled    bool            // some rows of all chunks at a time, and Settle, if the device can
	Nearest    bool            // and that in the order of values, if the device can; comes with settled
	Sorted     []int           // all vertices in topological order, in which some at a time settle; comes with settled
	Restorable bool            // state is taken out of the session, and put into another
	Share      *chunk.Interval // of the vertices, of several sessions' work; nil: all
	Joins      bool            // and what their edges join, if the device can; comes with share
	Intervals  bool            // of the vertices, two at a time
	Part       *Part           // of the edges, of several sessions' work; nil: all
	Again      bool            // sessions after it are on its arena
	Crew       *Rig            // it learns together with this one, with whose arena, layout and chunks; nil: by itself
	After      *Rig            // it is on the arena of this one, whose session has ended; nil: on its own
	Partition  Partition
	Budget     uint64
}

var Modes = []Mode{
	{Name: "whole", Partition: Partition{Rows: 1, Cols: 1}},
	{Name: "whole in pieces", Partition: Partition{Rows: 7, Cols: 1, Sparse: true, Whole: true}},
	{Name: "whole as a grid", Partition: Partition{Rows: 3, Cols: 4}},
	{Name: "streamed", Streamed: true, Partition: Partition{Rows: 5, Cols: 1, Whole: true}},
	{Name: "streamed as a sparse grid", Streamed: true, Partition: Partition{Rows: 4, Cols: 3, Sparse: true}},
	{Name: "streamed by active rows", Streamed: true, Active: true, Partition: Partition{Rows: 4, Cols: 2, Whole: true}},
	{Name: "settled", Settled: true, Active: true, Partition: Partition{Rows: 3, Cols: 2, Whole: true}},
	{Name: "settled nearest first", Settled: true, Nearest: true, Active: true,
		Partition: Partition{Rows: 3, Cols: 2, Whole: true}},
	{Name: "whole in a file", Mapped: true, Partition: Partition{Rows: 5, Cols: 2, Sparse: true}},
}

// Slots is how many chunks are in the arena at once in a streamed run.
const Slots = 2

// beside is the session in whose arena a part lies; nil: none.
func (m Mode) beside() *Rig {
	if m.Part == nil {
		return nil
	}
	return m.Part.Beside
}

// host is the session in whose arena this one is; nil: it is in its own.
func (m Mode) host() *Rig {
	if m.Crew != nil {
		return m.Crew
	}
	if beside := m.beside(); beside != nil {
		return beside
	}
	return m.After
}

// arena is that of the host; nil: there is none.
func (m Mode) arena() *arena.Arena {
	if host := m.host(); host != nil {
		return host.State.Arena
	}
	return nil
}

// Given are the edges of g that the session's chunks have.
func (m Mode) Given(g *algorithms.Graph) *algorithms.Graph {
	if m.Part != nil {
		return m.Part.Edges
	}
	return g
}

// mostGiven are the edges that its chunks may come to have: the first part is given those of
// the other, if that leaves.
func (m Mode) mostGiven(g *algorithms.Graph) *algorithms.Graph {
	if m.Part != nil && m.Part.Beside == nil {
		return g
	}
	return m.Given(g)
}

// Before is how many sessions were on the arena before.
func (m Mode) Before() (count int) {
	for a := m.After; a != nil; a = a.Mode.After {
		count++
	}
	return count
}
