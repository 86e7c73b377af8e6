package host

import (
	"time"

	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/plugins"
)

// stream moves the chunks to the devices and has them compute.
func (r *run) stream() error {
	if err := r.startAccounting(); err != nil {
		return err
	}
	if err := r.unasked(); err != nil {
		return err
	}
	r.events.Planned(r.needs())
	r.talk = r.newChain()
	if err := r.openKeeper(); err != nil {
		return err
	}
	compute := r.streamed
	switch {
	case r.split != nil:
		compute = r.split.compute
	case r.fit.resident:
		compute = r.resident
	}
	if err := compute(); err != nil {
		return err
	}
	if err := r.talk.finish(); err != nil {
		return err
	}
	r.discardSlots()
	return nil
}

// init has the device set up the state, or go on with that of a checkpoint, and reports it:
// the beginning is iteration 0.
func (r *run) init() error {
	command := plugins.Command{Op: plugins.Init}
	if it, ok := r.restored(); ok {
		command = plugins.Command{Op: plugins.Restore, Iteration: it}
		r.resumedFrom = it.Number
		r.talk.expect(it.Number)
	}
	e, err := r.talk.do(command, nil)
	if err != nil {
		return err
	}
	r.begun(*e.Iteration)
	return nil
}

// begun records the state that the run begins with.
func (r *run) begun(it plugins.Iteration) {
	r.final = it
	r.events.Iterated(IterationReport{Number: it.Number, Active: it.Active, Change: Change(it.Change)})
}

// lap measures iterations one after the other.
type lap struct {
	cost   cost
	start  time.Time
	reason schedule.Reason // for what is sent; of streamed runs
}

func (r *run) newLap() lap { return lap{cost: r.meter.total(), start: time.Now()} }

// iterated records the iteration that ended now, and starts the next lap.
func (r *run) iterated(l *lap, it plugins.Iteration, chunks int) {
	next := r.newLap()
	spent := next.cost.since(l.cost)
	r.paces.learn(spent, len(r.devices))
	took := next.start.Sub(l.start)
	if r.fit.resident && !r.oneByOne() && r.split == nil { // several iterations may be told of at once
		took = spent.compute + spent.transfer
	}
	report := IterationReport{
		Number: it.Number, Active: it.Active, Change: Change(it.Change), Chunks: chunks, Edges: spent.edges,
		Seconds: spent.seconds(took), Bytes: spent.bytes(),
		Rule: l.reason.Rule, Wanted: l.reason.Wanted, Predicted: l.reason.Predicted, Whole: spent.whole, Parts: spent.parts,
	}
	r.final, *l = it, next
	if len(r.perIteration) < maxReports {
		r.perIteration = append(r.perIteration, report)
	}
	r.events.Iterated(report)
}

const maxReports = report.MaxIterations
