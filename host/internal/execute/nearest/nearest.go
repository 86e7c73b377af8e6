// Package nearest executes a plan by which parts of a deep graph settle in the order of values
// (plugins.ExtensionNearest), so that each list is sent about once where values come in waves:
//
//	                   ┌──────────────── while the device settles ────────────────┐
//	active set ──search──▶ lists that are needed next ──part──▶ slot of the ring ──┴▶ Upload ─▶ Settle ─▶ active set …
//	           └─────────▶ lists that active vertices lack nevertheless ──part──▶──┘
//
// What is reached goes through a road map as a wave. Of the lists on the device those that the wave has passed are
// needed no more, and those that it comes to next are sent before it gets there. Where it meets an active vertex whose
// lists are missing it goes on around it: what is behind that vertex may turn out to be nearer, and is reached again
// then, and its lists may have to come again. To wait, as Dijkstra's algorithm would, has all lists wait that are there
// already, and give way unused (docs/experiments.md, "A ragged front").
package nearest

import (
	"context"
	"fmt"
	"time"

	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/ring"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Suits tells whether env's plan is such a one.
func Suits(env *execute.Env) bool { return env.Plan.Nearest }

// New executes the plan of env.
func New(env *execute.Env) execute.Executor { return &executor{Env: env} }

type executor struct {
	*execute.Env
	search *search
	ring   *ring.Ring
	ahead  *ring.Part // chosen while the device was at work, and in a slot already, unless there is none
	more   *ring.Part // what comes beside it
	// underway answers the Settle that the device is at; nil: none.
	underway chan plugins.Event
	done     report.NearestReport
	sent     schedule.Bitmap // whose lists have been sent
	edges    uint64          // of all that have been sent
	looked   uint64          // how many edges the device has looked at
}

// Execute sends lists and has them settle until no vertex is active.
func (e *executor) Execute(ctx context.Context) error {
	defer e.Supply.Release()
	loader, err := shipment.NewLoader(ctx, e.Env)
	if err != nil {
		return err
	}
	lists := e.Supply.Lists()
	if e.ring, err = ring.New(e.Env, lists); err != nil {
		return err
	}
	if err := e.Init(); err != nil {
		return err
	}
	e.search = newSearch(loader, lists, e.ring.Held)
	e.sent = make(schedule.Bitmap, len(e.ring.Held))
	e.ahead, e.more = ring.NewPart(len(e.ring.Held)), ring.NewPart(len(e.ring.Held))
	p := e.Progress
	p.Nearest = &e.done
	p.StartLap()
	for !p.Final.Converged && p.Final.Number < e.Plan.Bound() {
		it, err := e.iterate(ctx)
		if err != nil {
			return err
		}
		p.End(it, e.ring.Len())
		e.Keeper.Keep(p.Final)
	}
	return nil
}

// iterate sends one shipment, for which the oldest gives way, has the device go on, and makes the next one meanwhile.
func (e *executor) iterate(ctx context.Context) (plugins.Iteration, error) {
	number := e.Progress.Final.Number + 1
	e.Rec.Trace.Iteration(number)
	meanwhile, err := e.makeRoom()
	if err != nil {
		return plugins.Iteration{}, err
	}
	full, err := e.ship(ctx)
	if err != nil {
		return plugins.Iteration{}, err
	}
	if e.underway, err = e.ring.Settle(); err != nil {
		return plugins.Iteration{}, err
	}
	if meanwhile && !full {
		if err := e.lookAhead(ctx); err != nil {
			return plugins.Iteration{}, err
		}
	}
	event, err := e.await(ctx)
	if err == nil && e.Plan.Devices > 1 {
		event, err = e.together(ctx, event.Edges)
	}
	if err != nil {
		return plugins.Iteration{}, err
	}
	if event.Edges == 0 && event.Iteration.Active >= max(1, e.Progress.Final.Active) { // none is where Init makes none so
		return plugins.Iteration{}, e.search.stalled(event.Iteration.Active, e.Plan.Device.Name)
	}
	e.looked += event.Edges
	event.Iteration.Number = number
	return *event.Iteration, ctx.Err()
}

// await is the answer of the Settle that is under way.
func (e *executor) await(ctx context.Context) (plugins.Event, error) {
	event, err := ring.Await(ctx, e.underway)
	if err == nil {
		e.underway = nil
	}
	return event, err
}

// makeRoom has the oldest shipments give way to what is sent next, and tells whether there is a slot more, for what is
// chosen while the device is at work: only what the wave has passed gives way to that.
func (e *executor) makeRoom() (another bool, err error) {
	slots := 0
	if e.ahead.Slot == nil {
		slots++
	}
	if err := e.ring.MakeRoom(slots); err != nil {
		return false, err
	}
	if e.ring.Free() > slots {
		return true, nil
	}
	if !e.search.passed(e.ring.Oldest(), e.ragged()) {
		return false, nil
	}
	return true, e.ring.MakeRoom(slots + 1)
}

// ship sends what was chosen ahead, and beside it the lists that active vertices lack nevertheless. It tells whether
// there was no room for all that are lacking.
func (e *executor) ship(ctx context.Context) (full bool, err error) {
	if full, err = e.takeLacking(ctx); err != nil {
		return full, err
	}
	lacking, reason := len(e.more.Vertices), schedule.Reason{Wanted: e.more.Edges}
	if e.ahead.Slot == nil && !full { // if it is full, the search looks no further before it begins again
		e.search.begin()
		err = e.onward(ctx, e.more)
	}
	reason.Bytes = e.more.Bytes + e.ahead.Bytes
	reason.Rule = fmt.Sprintf("%d lists that active vertices lack, %d that lie ahead of them", lacking,
		len(e.more.Vertices)-lacking+len(e.ahead.Vertices))
	if e.ahead.Slot != nil {
		reason.Rule += ", chosen meanwhile"
	}
	e.Progress.Because(reason)
	if err == nil {
		e.count(e.ahead)
		e.count(e.more)
		err = e.ring.Send(ctx, e.ahead, e.more)
	}
	return full, err
}

// few and fewAgain are how many of what is sent, and of what is looked at, come again in a wave that is smooth: a part.
const few, fewAgain = 64, 16

// ragged tells whether the front of the wave is: lists are sent again, or edges are looked at again, more than a few.
func (e *executor) ragged() bool {
	return e.done.Again > e.done.Lists/few || e.looked > e.edges+e.edges/fewAgain
}

// count adds up the lists of a part that is sent.
func (e *executor) count(p *ring.Part) {
	e.done.Lists += len(p.Vertices)
	e.edges += p.Edges
	for _, v := range p.Vertices {
		if e.sent.Has(v) {
			e.done.Again++
		}
		e.sent.Add(v)
	}
}

// takeLacking takes lists that active vertices lack. Where there is no room for them beside what was chosen ahead, the
// search has lost the wave, and what it has chosen gives way.
func (e *executor) takeLacking(ctx context.Context) (full bool, err error) {
	for {
		e.more.Clear(e.ring.RoomBeside(e.ahead))
		full, err = e.search.takeAll(ctx, e.more, e.search.lacking(e.ahead))
		if err != nil || e.ahead.Slot == nil || !full {
			return full, err
		}
		e.done.Dropped += len(e.ahead.Vertices)
		e.ring.GiveBack(e.ahead)
	}
}

// lookAhead chooses what comes next, while the device is at work, and puts it together. Beside that stays room for some
// that turn out to be lacking.
func (e *executor) lookAhead(ctx context.Context) error {
	if e.underway == nil {
		return nil
	}
	e.ahead.Clear(e.ring.RoomAhead())
	if err := e.onward(ctx, e.ahead); err != nil || e.ahead.Edges == 0 {
		return err
	}
	e.done.Ahead += len(e.ahead.Vertices)
	return e.ring.Put(ctx, e.ahead)
}

// onward has the search choose.
func (e *executor) onward(ctx context.Context, p *ring.Part) error {
	began := time.Now()
	err := e.search.onward(ctx, p)
	e.Rec.Meter.Cut(0, time.Since(began))
	e.Rec.Trace.Stage("choose lists", began, p.Bytes)
	return err
}
