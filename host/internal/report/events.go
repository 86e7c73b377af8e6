package report

import (
	"time"

	"github.com/penstock-db/penstock/plugins"
)

// Events are told of a run's progress. Every field may be nil. They are called one at a
// time, from the run's goroutines, and hold the run up until they return; to stop it,
// cancel its context. The engine itself never prints. A run that finds, on its way, edges with
// which parts of the graph cannot settle begins again, iteration by iteration, and so do they.
type Events struct {
	// Launched: the plugin process runs and has described itself. Of several devices it is told of each,
	// in the order in which they were named, once all run.
	Launched func(Launch)
	// Planned: the device has accepted the task, and this is what it will take.
	Planned func(Needs)
	// Uploaded: so many bytes of chunks, of all, are on the device. Resident runs only.
	Uploaded func(bytes, total uint64)
	// Iterated: an iteration has ended. Number 0 is the initial state.
	Iterated func(IterationReport)
	// Spanned: a stage of the run has done a piece of work.
	Spanned func(Span)
	// Noticed: something that does not end the run and that its user should know, such as a
	// *CheckpointError.
	Noticed func(error)
	// Learned: an epoch of a procedure that learns has ended.
	Learned func(Epoch)
	// Progress: this fraction, 0 to 1, of a procedure is done.
	Progress func(fraction float64)
}

// Launch is what Launched tells.
type Launch struct {
	PID      int
	Protocol int // the contract version agreed on
	Device   plugins.Description
}

// Filled replaces nil functions by ones that do nothing.
func (e Events) Filled() Events {
	if e.Launched == nil {
		e.Launched = func(Launch) {}
	}
	if e.Planned == nil {
		e.Planned = func(Needs) {}
	}
	if e.Uploaded == nil {
		e.Uploaded = func(uint64, uint64) {}
	}
	if e.Iterated == nil {
		e.Iterated = func(IterationReport) {}
	}
	if e.Spanned == nil {
		e.Spanned = func(Span) {}
	}
	if e.Noticed == nil {
		e.Noticed = func(error) {}
	}
	if e.Learned == nil {
		e.Learned = func(Epoch) {}
	}
	if e.Progress == nil {
		e.Progress = func(float64) {}
	}
	return e
}

// Span is a stage of a run at work, as Spanned tells.
type Span struct {
	Stage     string // "read", "select", "put together", "device: step" …: what the run did
	Device    string // of several, which one did it; empty: none, or the only one
	Iteration int    // of which this was a part, as far as it is known
	Start     time.Time
	Took      time.Duration
	Bytes     uint64
	Edges     uint64
}
