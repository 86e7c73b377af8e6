package plugins

import (
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/arena"
)

// ExtensionLearns is for procedures that learn, epoch by epoch: rows of numbers of vertices, and a row that is of none.
// Package plugins/mega has an engine for them. Procedures that read vectors of vertices are given them as rows, too,
// which may be in passes, and end without an epoch.
//
// Layout.Rows says where rows lie: those that are given the host has filled, the others the device fills by Call. A
// device that has no use for them answers Compile with KindUnsupported; Plan.Learns says that it has. Call then tells
// of each epoch by an event with an Epoch, in their order from 1 on, and then by one with the Work of each worker.
//
// A row that is named kept, if there is one, is for what the procedure has come to. Call may then end between two
// epochs, before there is Work; it goes on when it comes again, in this session or another whose row the host has
// filled with the same. See package algorithms/mega/kept.
const ExtensionLearns Extension = "learns"

// VertexRows are float32 numbers in the arena: row by row, in the order of vertices.
type VertexRows struct {
	algorithms.Rows
	Range arena.Range
}

// Epoch is one that has ended.
type Epoch struct {
	Number int // from 1
	Loss   float64
}

// Work is what one worker of a Call has done, which had a part of the edges, rows of its own, and mirrors of rows that
// others have as well.
type Work struct {
	Edges          uint64 // it went along
	Masters        uint64 // rows that an edge leads to, and that it keeps
	Mirrors        uint64
	LeftMasters    uint64 // of those that edges lead from, likewise
	LeftMirrors    uint64
	Clocks         uint64 // batches, after which it told of changes
	Pushed, Pulled uint64 // bytes of changes, to other workers and from them
	Waited         time.Duration
	Ahead          uint64 // clocks that it was before the slowest, at the most
	Timeline       []Span // its first clocks, where the argument trace is 1
}

// Span is a clock of a worker: since the run began, and for how long it waited, pulled, computed and sent, one after
// the other.
type Span struct {
	Epoch, Clock              uint64 // from 0
	Began                     time.Duration
	Wait, Pull, Compute, Sync time.Duration
}
