package plugintest

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/arena"
)

// mode is how a host drives a task.
type mode struct {
	name     string
	streamed bool // a few chunks at a time, Step by Step; otherwise all at once, and Iterate
	mapped   bool // chunks lie in a file, with all their edge columns, if the device can read them there
	// of a chunk only the rows that are active, if the plan allows it; every other time the device finds them, if it can
	active     bool
	passes     bool            // of a procedure: Step by Step; comes with streamed
	settled    bool            // some rows of all chunks at a time, and Settle, if the device can
	nearest    bool            // and that in the order of values, if the device can; comes with settled
	sorted     []int           // all vertices in topological order, in which some at a time settle; comes with settled
	restorable bool            // state is taken out of the session, and put into another
	share      *chunk.Interval // of the vertices, of several sessions' work; nil: all
	joins      bool            // and what their edges join, if the device can; comes with share
	intervals  bool            // of the vertices, two at a time
	part       *part           // of the edges, of several sessions' work; nil: all
	again      bool            // sessions after it are on its arena
	crew       *rig            // it learns together with this one, with whose arena, layout and chunks; nil: by itself
	after      *rig            // it is on the arena of this one, whose session has ended; nil: on its own
	partition  partition
	budget     uint64
}

var modes = []mode{
	{name: "whole", partition: partition{rows: 1, cols: 1}},
	{name: "whole in pieces", partition: partition{rows: 7, cols: 1, sparse: true, whole: true}},
	{name: "whole as a grid", partition: partition{rows: 3, cols: 4}},
	{name: "streamed", streamed: true, partition: partition{rows: 5, cols: 1, whole: true}},
	{name: "streamed as a sparse grid", streamed: true, partition: partition{rows: 4, cols: 3, sparse: true}},
	{name: "streamed by active rows", streamed: true, active: true, partition: partition{rows: 4, cols: 2, whole: true}},
	{name: "settled", settled: true, active: true, partition: partition{rows: 3, cols: 2, whole: true}},
	{name: "settled nearest first", settled: true, nearest: true, active: true,
		partition: partition{rows: 3, cols: 2, whole: true}},
	{name: "whole in a file", mapped: true, partition: partition{rows: 5, cols: 2, sparse: true}},
}

// slots is how many chunks are in the arena at once in a streamed run.
const slots = 2

// beside is the session in whose arena a part lies; nil: none.
func (m mode) beside() *rig {
	if m.part == nil {
		return nil
	}
	return m.part.beside
}

// host is the session in whose arena this one is; nil: it is in its own.
func (m mode) host() *rig {
	if m.crew != nil {
		return m.crew
	}
	if beside := m.beside(); beside != nil {
		return beside
	}
	return m.after
}

// arena is that of the host; nil: there is none.
func (m mode) arena() *arena.Arena {
	if host := m.host(); host != nil {
		return host.state.arena
	}
	return nil
}

// given are the edges of g that the session's chunks have.
func (m mode) given(g *algorithms.Graph) *algorithms.Graph {
	if m.part != nil {
		return m.part.edges
	}
	return g
}

// mostGiven are the edges that its chunks may come to have: the first part is given those of
// the other, if that leaves.
func (m mode) mostGiven(g *algorithms.Graph) *algorithms.Graph {
	if m.part != nil && m.part.beside == nil {
		return g
	}
	return m.given(g)
}

// before is how many sessions were on the arena before.
func (m mode) before() (count int) {
	for a := m.after; a != nil; a = a.mode.after {
		count++
	}
	return count
}
