// Package execute carries out a plan. An Executor is chosen once, by the plan (executors in host/run.go). Each is a
// package:
//
//	resident  all chunks are on the device, which iterates by itself
//	streamed  what the schedule sends passes through slots, iteration by iteration; each ends by Apply, or parts settle
//	passes    a procedure asks for lists, which pass through slots, pass by pass
//	nearest   lists come in the order in which they are needed, and settle the best values first
//	topological lists come in topological order, each once, and settle
//	queue     a pass of streamed for Scaph: chunks of high value stay, lists are sent beside them
//	intervals cells of edges come with the two intervals of the state that they lead from and to
//	split     a dense core on one device, the rest on another
//
// Before iterations package gaining looks for a cycle that would keep them from ending.
//
// What they talk to is one device, several behind each other (chain), or several processes of one (crew). What they
// send is put together in shipment, or list by list in ring.
package execute

import (
	"context"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/checkpoint"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Executor carries out a plan: afterwards the state of the last iteration is in the arena. It ends with the first
// error, or when ctx does.
type Executor interface {
	Execute(ctx context.Context) error
}

// Device is what executors send commands to: one device, or several that act as one. Devices obey in order. An answer
// that breaks the contract ends the run; the number of each iteration, for example, must be that of the last one plus
// one.
type Device interface {
	// Send passes a command on and returns at once. The call's Done is called with the answer. Bytes of an Upload are
	// counted as sent; it is the caller's to have the link carry them.
	Send(plugins.Command, link.Call) error
	// Do sends a command and waits until it has been done. iterated is called for each iteration on the way.
	Do(command plugins.Command, iterated func(plugins.Event)) (plugins.Event, error)
	// Expect says the number of the next iteration that the device tells of, if it is not the last one plus one: call it
	// before Restore, and with 0 before a second Init.
	Expect(iteration int)
	// Meet follows a Settle of several devices: each is told what the others have come to. It tells where the run stands,
	// and how many bytes have been told.
	Meet(last plugins.Iteration) (it plugins.Iteration, told uint64, err error)
	// Tell is Meet where vertices send in an order, each once: some of them have all that comes to them, which the devices
	// that do not own them are told of. begun are those that were active from the beginning.
	Tell(some []uint64, begun schedule.Bitmap, last plugins.Iteration) error
	// Own has each of several devices know of its own vertices alone that they are active, until it is told.
	Own(last plugins.Iteration) (plugins.Iteration, error)
}

// Env is what an executor works with: what to do (Plan), chunks (Supply), where commands go (Device), and what to
// report (Progress, Rec, Events).
type Env struct {
	Plan     *plan.Plan
	Snap     *store.Snapshot
	Supply   *supply.Supply
	Rec      *meter.Recorder
	Device   Device
	Keeper   *checkpoint.Keeper // nil: no state is kept
	Events   report.Events
	Progress *Progress
	Shares   []chunk.Interval // of the vertices, of each of several devices
	Scratch  *arena.Arena     // where the state of all vertices is that is cut into intervals; nil: it is on the device
}

// Arena is the memory that host and device share.
func (e *Env) Arena() *arena.Arena { return e.Supply.Cache.Arena }

// State is where the layout of the plan's task lies.
func (e *Env) State() *arena.Arena {
	if e.Scratch != nil {
		return e.Scratch
	}
	return e.Arena()
}

// StepByStep tells whether every iteration is a command of its own, wherever the chunks are: state is to be kept, or
// told to other devices, in between.
func (e *Env) StepByStep() bool { return e.Keeper != nil || e.Plan.Devices > 1 }

// Init has the device set up the state, or go on with that of a checkpoint, and reports it:
// the beginning is iteration 0.
func (e *Env) Init() error {
	command := plugins.Command{Op: plugins.Init}
	if it, ok := e.Keeper.Read(); ok {
		command = plugins.Command{Op: plugins.Restore, Iteration: it}
		e.Progress.ResumedFrom = it.Number
		e.Device.Expect(it.Number)
	}
	event, err := e.Device.Do(command, nil)
	if err != nil {
		return err
	}
	e.Progress.Begin(*event.Iteration)
	return nil
}

// Upload reads every chunk into its place and uploads it while the next are read. It
// need not wait for the uploads: commands are obeyed in order.
func (e *Env) Upload(ctx context.Context) error {
	var total, done uint64
	for _, c := range e.Plan.Chunks {
		total += uint64(c.Size)
	}
	own := func(i int) arena.Range { return e.Plan.Chunks[i].At }
	for l := range e.Supply.Read(ctx, e.Plan.Numbers(), own) {
		if l.Err != nil {
			return l.Err
		}
		command := plugins.Command{Op: plugins.Upload, Chunk: uint32(l.Chunk), At: l.At.Range, File: l.At.File}
		e.Rec.Carry(ctx, command.At.Length)
		err := e.Device.Send(command, link.Call{Done: func(plugins.Event) {
			done += uint64(e.Plan.Chunks[l.Chunk].Size)
			e.Events.Uploaded(done, total)
		}})
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
