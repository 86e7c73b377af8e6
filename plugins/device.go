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
// The core of the contract is what every device does: device.go, task.go, command.go and errors.go. The rest are
// extensions, one file each: see Extension. proto/ and wire.go carry it all over go-plugin's gRPC; serve.go is what a
// plugin's main calls. Package kit does for a device what is the same for all.
package plugins

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/arena"
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
	Programs      []string // names of the catalog's vertex programs that it runs, where it runs some alone; nil: any
	// Algorithms are those that the plugin brings along. Each is in Procedures, too.
	Algorithms []algorithms.Definition

	MapsFiles bool // see ExtensionFiles
	Lanes     int  // see ExtensionLanes; 0: one program at a time

	// Extensions are those that it takes up, in one task or another. None: it does not say, as devices that are older than
	// this list do not; then a plan alone tells.
	Extensions []Extension
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
