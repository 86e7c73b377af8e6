package penstock

import (
	"context"
	"io"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/store"
)

// Request is what a program wants computed, and how: an Algorithm of the catalog, or a vertex program of its own as
// text (Custom) or built (Program).
type Request struct {
	Algorithm string            // by name or alias
	Params    map[string]string // as a user writes them
	// Part has it computed on a part of the graph, which is stored for the run and kept for others as the device is.
	// Writing the result leaves other nodes what an earlier one gave them.
	Part
	Custom  *algorithms.Custom  // its parameters are Params
	Program *algorithms.Program // one that is built already
	// Sources has a vertex program computed from each of these vertices, by user ids, in place of the parameter source.
	// Result columns have the source behind their name: depth_5.
	Sources []string
	// Property is the name that Result.Write will be called with, if at all: one that the graph cannot have is refused
	// before anything is computed.
	Property string
	// Device is "cpu", "auto" (empty too: the CPU, or npu if that is installed and expected to be sooner), the name of an
	// installed plugin, or the path of a plugin program. Several, as in "cpu,cpu", share a vertex program; two, as in
	// "cpu+npu", are a rest and a dense core.
	Device string
	// Unconfined are devices, by their names in Device, that run without walls: each may do what this program may.
	Unconfined []string
	// Core chooses the dense core of "cpu+npu": "auto", "degree:10%", "rabbit:4096". Empty is auto.
	Core string
	// DeviceMemory is the budget in bytes that state, chunks and scratch may take together on each device. 0: 7/8 of a
	// device's own memory, or half of this machine's, less where that has under 104 MiB, more where else the
	// state of vertices that all send would be cut.
	DeviceMemory uint64
	// DeviceCPUTime is how much time of processors each device's process may take in the run, with all its threads; one
	// that takes more is killed. 0: any.
	DeviceCPUTime time.Duration
	Threads       int    // of each device; 0: as many as the device likes
	Schedule      string // auto (empty too), whole, subway, neugraph or scaph
	// ScaphValue is by what schedule scaph values chunks: threshold (empty too) or model.
	ScaphValue string
	// Synchronous: every iteration ends before the next begins, under every schedule.
	Synchronous bool
	// Resume keeps the state in the database from time to time, and begins with that of a run of the very same computation
	// that did not end well, if there is one.
	Resume bool
	// CheckpointEvery is how much time passes, at least, from one checkpoint to the next. 0: 10 seconds.
	CheckpointEvery time.Duration
	// Timeout is how long the device may owe an answer without a sign of life. 0: a minute.
	Timeout time.Duration
	// Log receives what the plugin writes to standard error; nil: it is dropped, except for the last lines of one that
	// dies.
	Log io.Writer

	// Progress is called while the run goes on, from its goroutines and one call at a time. It holds the run up until it
	// returns; to stop the run, cancel its context. nil: it is not called.
	Progress func(Progress)
	// Notice is called with what does not end the run and that its user should know; nil: it is not.
	Notice func(error)
}

// Part is which part of a graph something is computed on, as if there were nothing else: the nodes that have one of the
// labels, and the relationships among them of one of the types. The zero value is all of it.
type Part struct {
	Labels, Types []string // none: all
	// Orientation is how relationships lead: "natural" (empty too), "reverse", or "undirected", both ways.
	Orientation string
}

// Progress is how far a run has come. Either an iteration has ended, or chunks have been uploaded, or a procedure has
// done a Fraction of its work.
type Progress struct {
	Iteration int           // 1 is the first; 0: none has ended since the last call
	Active    uint64        // vertices that send in the next iteration
	Change    float64       // of the state, by the program's norm
	Edges     uint64        // processed in the iteration
	Took      time.Duration // the iteration
	// Uploaded of Chunks bytes are on the device. Runs that keep all chunks there say so.
	Uploaded, Chunks uint64
	Fraction         float64 // 0 to 1
}

// Estimate is what a run takes, in bytes, before it runs. A run keeps to it.
type Estimate struct {
	Schedule string // "resident": all chunks stay on the device; or the schedule that streams them
	Why      string
	Kernel   string // the device's name for the code path
	Disk     uint64 // read from the store, at most
	Transfer uint64 // given to the device, which copies it or reads it in place, at most
	// PerIteration: Disk and Transfer are bounds for each iteration; else for the whole run.
	PerIteration bool
	Host         uint64 // shared memory
	Device       uint64 // the most that the run takes of Budget
	Budget       uint64
	Minimum      uint64 // the least budget with which the run would start
	Resident     uint64 // the budget from which on all chunks stay on the device
}

// Run computes on the graph in a plugin process, which stays for the next run on it (Options.KeepWarm). When ctx ends
// the process is killed and the database is as it was. The caller closes the Result.
//
// Errors: *plugins.Error of a device, ErrUnknownGraph, and ErrReadOnly where changes would have to be folded in first.
func (db *DB) Run(ctx context.Context, graph string, request Request) (*Result, error) {
	inner, err := db.inner.On(graph, request.Part.inner()).Run(ctx, request.inner(), request.events())
	if err != nil {
		return nil, public(err)
	}
	return &Result{Columns: inner.Columns, Report: reportOf(inner.Report), inner: inner}, nil
}

// Estimate tells what Run would take, and fails as it would, without running.
func (db *DB) Estimate(ctx context.Context, graph string, request Request) (Estimate, error) {
	n, err := db.inner.On(graph, request.Part.inner()).Estimate(ctx, request.inner())
	if err != nil {
		return Estimate{}, public(err)
	}
	return Estimate{
		Schedule: n.Schedule, Why: n.Why, Kernel: n.Kernel, Disk: n.Disk, Transfer: n.Transfer, PerIteration: n.PerIteration,
		Host: n.Host, Device: n.Device, Budget: n.Budget, Minimum: n.Least, Resident: n.Resident,
	}, nil
}

func (p Part) inner() store.Projection {
	return store.Projection{Labels: p.Labels, Types: p.Types, Orientation: store.Orientation(p.Orientation)}
}

func (r Request) inner() host.Request {
	return host.Request{
		Algorithm: r.Algorithm, Params: r.Params, Custom: r.Custom, Program: r.Program, Sources: r.Sources,
		Property: r.Property,
		Device:   r.Device, Unconfined: r.Unconfined, Core: r.Core,
		DeviceMemory: r.DeviceMemory, DeviceCPUTime: r.DeviceCPUTime, Threads: r.Threads, Schedule: r.Schedule,
		ScaphValue:  r.ScaphValue,
		Synchronous: r.Synchronous, Resume: r.Resume, CheckpointEvery: r.CheckpointEvery, Timeout: r.Timeout, Log: r.Log,
	}
}

// events are what of a run's events the request wants to be told of.
func (r Request) events() host.Events {
	events := host.Events{Noticed: r.Notice}
	if r.Progress == nil {
		return events
	}
	events.Uploaded = func(bytes, total uint64) { r.Progress(Progress{Uploaded: bytes, Chunks: total}) }
	events.Progress = func(fraction float64) { r.Progress(Progress{Fraction: fraction}) }
	events.Iterated = func(it host.IterationReport) {
		if it.Number == 0 {
			return
		}
		r.Progress(Progress{
			Iteration: it.Number, Active: it.Active, Change: float64(it.Change), Edges: it.Edges,
			Took: duration(it.Seconds.Total),
		})
	}
	return events
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
