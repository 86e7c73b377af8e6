// Package topological executes a plan by which lists come in topological order, each once, and settle. Values may get
// better along edges:
//
//	                ┌─────────────── while the device settles ───────────────┐
//	active set ──sort──▶ vertices, each behind all that lead to it ──part──▶ slot of the ring ──┴▶ Upload ─▶ Settle ─▶ …
//
// When a part settles, all that comes to it from elsewhere has come, so that it need not come again, and a sum is
// whole. Where what is active reaches a cycle there is no such order: the run ends, and starts again iteration by
// iteration. A sum has no result then: it grows each time around. Several devices settle a part in rounds (rounds.go).
package topological

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/ring"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Suits tells whether env's plan is such a one.
func Suits(env *execute.Env) bool { return env.Plan.Topological }

// New executes the plan of env.
func New(env *execute.Env) execute.Executor { return &executor{Env: env} }

type executor struct {
	*execute.Env
	lists  *supply.Lists
	sorted []uint64 // what is still to be sent, in order
	ring   *ring.Ring
	next   *ring.Part // put together in a slot already, unless all its lists are empty
	// several is nil where there is one device.
	several *together
}

// Execute sends lists and has them settle until no vertex is active.
func (e *executor) Execute(ctx context.Context) (err error) {
	defer e.Supply.Release()
	e.lists = e.Supply.Lists()
	if e.ring, err = ring.New(e.Env, e.lists); err != nil {
		return err
	}
	if err := e.Init(); err != nil {
		return err
	}
	active, err := e.Arena().Uint64s(e.Plan.Task.Layout.Active)
	if err != nil {
		return err
	}
	if err := e.sort(ctx, active); err != nil || e.Progress.Final.Converged {
		return err
	}
	if e.Plan.Devices > 1 {
		if err := e.begin(active); err != nil {
			return err
		}
	}
	if e.next = ring.NewPart(len(e.ring.Held)); len(e.Plan.Fit.Slots) > 0 {
		err = e.prepare(ctx)
	}
	p := e.Progress
	p.StartLap()
	for err == nil && !p.Final.Converged {
		var it plugins.Iteration
		if it, err = e.iterate(ctx); err == nil {
			p.End(it, e.ring.Len())
			e.Keeper.Keep(p.Final)
		}
	}
	return err
}

// sort finds the order of all that the active vertices reach. The device is idle.
func (e *executor) sort(ctx context.Context, active schedule.Bitmap) error {
	all := chunk.Interval{Count: e.Plan.Graph.Manifest().Vertices}
	sorted, cycle, err := Sort(ctx, e.lists.Of, active.Members(all), all.Count)
	switch e.sorted = sorted; {
	case err != nil || cycle == nil:
		return err
	case e.Plan.Task.Program.Reduce == algorithms.Sum:
		e.Progress.Final.Cycle, e.Progress.Final.Converged = &plugins.Cycle{Vertices: cycle}, true
		return nil
	}
	return plugins.Errorf(plugins.KindUnsupported, "program %q does not settle in topological order: what sends first "+
		"reaches a cycle", e.Plan.Task.Program.Name)
}

// iterate sends what comes next, has the device settle it, and puts together what comes then meanwhile.
func (e *executor) iterate(ctx context.Context) (it plugins.Iteration, err error) {
	number := e.Progress.Final.Number + 1
	e.Rec.Trace.Iteration(number)
	if len(e.next.Vertices) == 0 && e.Progress.Final.Active > 0 { // none is where Init makes none so
		return it, violation.Of(e.Plan.Device.Name, "nothing settles: %d vertices are active, though all that lead to them have "+
			"sent, and their lists have come", e.Progress.Final.Active)
	}
	e.Progress.Because(schedule.Reason{Rule: fmt.Sprintf("%d lists, the next in topological order", len(e.next.Vertices)),
		Wanted: e.next.Edges, Bytes: e.next.Bytes})
	if err := e.ring.MakeRoom(1); err != nil {
		return it, err
	}
	if e.several != nil {
		it, err = e.sendTogether(ctx)
		it.Number = number
		return it, err
	}
	if err := e.ring.Send(ctx, e.next, new(ring.Part)); err != nil {
		return it, err
	}
	answer, err := e.ring.Settle()
	if err != nil {
		return it, err
	}
	if err := e.prepare(ctx); err != nil {
		return it, err
	}
	event, err := ring.Await(ctx, answer)
	if err != nil {
		return it, err
	}
	it = *event.Iteration
	it.Number = number
	return it, ctx.Err()
}

// prepare puts together as many lists as there is room for in a slot.
func (e *executor) prepare(ctx context.Context) error {
	e.next.Clear(e.ring.RoomBeside(e.next))
	sizes, taken := e.Plan.Sizes(), 0
	for _, v := range e.sorted {
		list, _, err := e.lists.Of(ctx, v)
		if err != nil {
			return err
		}
		if !e.next.Take(v, len(list), sizes) {
			break
		}
		taken++
	}
	if e.sorted = e.sorted[taken:]; e.next.Edges == 0 {
		return nil
	}
	return e.ring.Put(ctx, e.next)
}
