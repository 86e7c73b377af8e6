// Package passes executes a plan by which a procedure works on the lists of some vertices at a time
// (plugins.ExtensionPasses):
//
//	active set ──▶ chunks with rows of it ──▶ shipments ──Upload, Step, Evict──▶ Apply ──▶ active set of the next pass
//
// Of a chunk the rows are sent that are active, if that is less than the chunk; chunks without any stay where they are.
package passes

import (
	"context"

	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Suits tells whether env's plan is one of passes.
func Suits(env *execute.Env) bool { return env.Plan.Task.Passes }

// New executes the plan of env.
func New(env *execute.Env) execute.Executor { return executor{env} }

type executor struct{ *execute.Env }

// Execute sends the lists that the device asks for, until it asks for none.
func (e executor) Execute(ctx context.Context) error {
	defer e.Supply.Release()
	loader, err := shipment.NewLoader(ctx, e.Env)
	if err != nil {
		return err
	}
	if err := e.Init(); err != nil {
		return err
	}
	e.Progress.StartLap()
	for !e.Progress.Final.Converged {
		loads := e.wanted(loader.Active)
		e.Progress.Because(schedule.Reason{Rule: "the lists that the procedure asks for"})
		it, err := e.pass(ctx, loader, loads)
		if err != nil {
			return err
		}
		e.Progress.End(it, len(loads))
	}
	return nil
}

// wanted are the active rows of each chunk that has any.
func (e executor) wanted(active schedule.Bitmap) (loads []schedule.Load) {
	for i, c := range e.Plan.Chunks {
		if active.Any(c.Info.Rows) {
			loads = append(loads, schedule.Load{Chunk: i, Part: true})
		}
	}
	return loads
}

// pass sends the loads and ends the pass.
func (e executor) pass(ctx context.Context, loader *shipment.Loader, loads []schedule.Load) (plugins.Iteration, error) {
	final := e.Progress.Final
	e.Rec.Trace.Iteration(final.Number + 1)
	for each := range loader.Shipments(ctx, loads, final.Places) {
		if each.Err != nil {
			return final, each.Err
		}
		if err := e.ship(ctx, loader, each); err != nil {
			return final, err
		}
	}
	if err := ctx.Err(); err != nil {
		return final, err
	}
	event, err := e.Device.Do(plugins.Command{Op: plugins.Apply}, nil)
	if err != nil {
		return final, err
	}
	return *event.Iteration, nil
}

// ship has the device take what it wants of a shipment and evict it, which frees the slot.
func (e executor) ship(ctx context.Context, loader *shipment.Loader, s *shipment.Shipment) error {
	for i, upload := range s.Uploads {
		s.Carry(ctx, e.Env, i)
		evicted := link.Call{}
		if i == len(s.Uploads)-1 {
			evicted.Done = func(plugins.Event) { loader.Free <- s.Slot }
		}
		for _, command := range []struct {
			plugins.Command
			link.Call
		}{{Command: upload}, {Command: plugins.Command{Op: plugins.Step, Chunk: upload.Chunk}},
			{plugins.Command{Op: plugins.Evict, Chunk: upload.Chunk}, evicted}} {
			if err := e.Device.Send(command.Command, command.Call); err != nil {
				return err
			}
		}
	}
	return nil
}
