// Package nearest executes a plan by which parts of a deep graph settle in the order of values
// (plugins.ExtensionNearest), so that each list is sent about once:
//
//	active set, values ──region──▶ lists that are needed next ──ring──▶ slot ──Upload, Settle──▶ active set, values …
//
// What is reached goes through a road map as a wave. Of the lists on the device those that the wave has passed are
// needed no more, and those that it comes to next are sent before it gets there. It stands still where it meets an
// active vertex whose lists are missing, as Dijkstra's algorithm would: what is behind that vertex may be nearer than
// what is reached otherwise.
package nearest

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Suits tells whether env's plan is such a one.
func Suits(env *execute.Env) bool { return env.Plan.Nearest }

// New executes the plan of env.
func New(env *execute.Env) execute.Executor { return executor{env} }

type executor struct{ *execute.Env }

// Execute sends regions and has them settle until no vertex is active.
func (e executor) Execute(ctx context.Context) error {
	defer e.Supply.Release()
	loader, err := shipment.NewLoader(ctx, e.Env)
	if err != nil {
		return err
	}
	ring, err := newRing(e.Env)
	if err != nil {
		return err
	}
	if err := e.Init(); err != nil {
		return err
	}
	p, region := e.Progress, newRegion(loader, ring)
	p.StartLap()
	for !p.Final.Converged && p.Final.Number < e.Plan.Bound() {
		it, err := e.iterate(ctx, region, ring)
		if err != nil {
			return err
		}
		p.End(it, len(ring.there))
		e.Keeper.Keep(p.Final)
	}
	return nil
}

// iterate sends one region, for which the oldest gives way, and has the device go on.
func (e executor) iterate(ctx context.Context, region *region, ring *ring) (plugins.Iteration, error) {
	number := e.Progress.Final.Number + 1
	e.Rec.Trace.Iteration(number)
	if err := ring.makeRoom(); err != nil {
		return plugins.Iteration{}, err
	}
	if err := region.grow(ctx, ring.room()); err != nil {
		return plugins.Iteration{}, err
	}
	e.Progress.Because(region.reason())
	if err := ring.send(ctx, region); err != nil {
		return plugins.Iteration{}, err
	}
	event, err := e.Device.Do(plugins.Command{Op: plugins.Settle, At: e.Plan.Fit.Set}, nil)
	if err != nil {
		return plugins.Iteration{}, err
	}
	if event.Edges == 0 && event.Iteration.Active >= e.Progress.Final.Active {
		return plugins.Iteration{}, region.stalled(event.Iteration.Active, e.Plan.Device.Name)
	}
	event.Iteration.Number = number
	return *event.Iteration, ctx.Err()
}

// stalled is the error of an iteration in which nobody has sent: the best active vertex always can, since its lists are
// the first to come. It says whether they are there, or what was sent is to blame.
func (r *region) stalled(active uint64, device string) error {
	best, some := uint64(0), false
	for v := range r.members() {
		if !some || r.Priority.Compare(v, best) < 0 {
			best, some = v, true
		}
	}
	if some && !r.held.Has(best) {
		return plugins.Errorf(plugins.KindInternal, "nothing settles: %d vertices are active, and the lists of vertex %d, the "+
			"best of them, have not been sent", active, best)
	}
	return violation.Of(device, "nothing settles: %d vertices are active, and none of them has sent, though the lists of the "+
		"best are there", active)
}

// reason says what was sent.
func (r *region) reason() schedule.Reason {
	return schedule.Reason{
		Rule:   fmt.Sprintf("%d lists that active vertices lack, %d that lie ahead of them", r.lacking, len(r.chosen)-r.lacking),
		Wanted: r.wanted, Bytes: r.bytes,
	}
}
