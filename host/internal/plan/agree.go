package plan

import (
	"errors"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Terms are what a plan is agreed on with devices.
type Terms struct {
	Computation Computation
	Graph       Graph
	Device      plugins.Description // of all devices together
	Devices     int
	Budget      uint64 // of each device
	// Most is up to what the budget may be raised, where with less the state would be cut into intervals; nil: the budget
	// was named, or is of a memory of the device's own.
	Most      func() uint64
	Machine   uint64  // memory that chunks may take half of; 0: unknown
	Arena     Arena   // where everything has its place
	Occupied  uint64  // bytes of the arena that the vertex columns of all devices take
	SourceIDs []int64 // of the sources that the device may take at once
	Unsettled string  // why an earlier attempt could not settle; empty: there was none
	Sorted    bool    // that was in topological order
	// Longest is the longest list of all, asked for where chunks have to be cut for a queue.
	Longest func([]chunk.Direction) (LongestList, error)
	// Deep says why a plan's graph is not deep, beside what a slot holds, or the host cannot look at all lists at any
	// time, or one of them does not fit a slot; nil: it is not known.
	Deep func(*Plan) (Unordered, error)
	// AtHand says why the host cannot look at all lists of a plan's graph at any time, or one of them does not fit a slot;
	// nil: it is not known.
	AtHand func(*Plan) (Unordered, error)
	// CompileCell has each device plan a task whose graph has so many vertices, and whose state lies where its layout
	// says; nil: one of them computes with the state of all vertices alone, as Uncut says.
	CompileCell func(task plugins.Task, layouts []plugins.Layout, vertices, budget uint64) (plugins.Plan, error)
	Uncut       string
	// Compile has the devices, whose vertex columns lie so, plan a task within a budget; 0: without a bound.
	Compile func(task plugins.Task, layouts []plugins.Layout, budget uint64) (plugins.Plan, error)
	// programs are those that cells compute, by what they are made for; nil: they are made each time.
	programs map[cellKey]CellProgram
}

// Agree finds out how devices run a computation within the budget: with all chunks on them; else part by part, each
// brought to local convergence, where the schedule and the program are so; else iteration by iteration. A procedure
// runs with all chunks on the device, else in passes. On a deep graph parts settle the best values first, where the
// program is so. State that does not fit is cut into intervals, by schedules that do so. The devices have compiled the
// task of the plan last. A refusal names the least budget that will do, unless the devices cannot say that.
//
// Errors: *BudgetError, *ScheduleError, and those of Compile.
func Agree(t Terms) (*Plan, error) {
	p, err := t.offer()
	if _, exact := needed(err); !refuses(err) || !exact {
		return p, err
	}
	t.Most = nil // what is refused is the budget as it is
	l, other := t.least(err)
	if other != nil {
		return nil, other
	}
	return nil, t.sum(err, l)
}

// offer is Agree, whose refusals name budgets with which something else may be in the way.
func (t Terms) offer() (*Plan, error) {
	p, err := t.agree()
	var over *BudgetError
	if crumbles := err == nil && t.crumbles(p); crumbles {
		over = p.tooSmall()
	} else if !errors.As(err, &over) {
		return p, err
	}
	if q, raisedErr := t.raised(over); q != nil || raisedErr != nil {
		return q, raisedErr
	}
	if err == nil {
		return t.withoutCrumbs(over)
	}
	return t.withIntervals(t.Computation.FromSources(nil), over)
}

// agree is Agree with the state of all vertices on the devices.
func (t Terms) agree() (*Plan, error) {
	c := t.Computation
	if err := c.refuseStreaming(); err != nil {
		return nil, err
	}
	if c.Task.Program == nil {
		return t.procedure(c)
	}
	if p, err := t.onLanes(c); p != nil || err != nil {
		return p, err
	}
	if len(t.SourceIDs) > 1 {
		c = c.FromSources(nil)
	}
	p, err := t.attempt(c)
	var over *BudgetError
	needs, tight := c.Schedule.Needs, errors.As(err, &over)
	switch {
	case tight && needs.Settle == schedule.Required: // the state may be less where parts settle
		if p, err = t.byDemand(c); err != nil {
			err = lesser(over, err)
		}
		return p, err
	case err != nil && !tight || err == nil && p.Fit.Resident || !needs.Demand:
		return p, err
	}
	ordered, why, err := t.nearest(c)
	var unsorted Unordered
	switch why.Cause {
	case NeverSettles, NoBestValue, SettledBadly:
		ordered, unsorted, err = t.topological(c)
	}
	if ordered != nil || err != nil {
		return ordered, err
	}
	q, byDemand := t.byDemand(c) // which may take less state, too
	if byDemand == nil {
		q.Unordered, q.Unsorted = why, unsorted
		return q, nil
	}
	if tight {
		return nil, lesser(over, byDemand)
	}
	return nil, orResident(p, byDemand)
}

// byDemand agrees on a plan by which lists of active vertices may be sent alone.
func (t Terms) byDemand(c Computation) (*Plan, error) {
	needs := c.Schedule.Needs
	c.Task.ActiveRows = true
	// Of a part of a list that is cut by columns it is not known where it stands; and several devices go on from what
	// one has looked at, which is in no checkpoint.
	c.Task.Places = !needs.Grid && (t.Devices == 1 || !c.Task.Restorable)
	p, err := t.settled(c)
	var why *unsettled
	if !errors.As(err, &why) {
		return p, err
	}
	switch {
	case needs.Settle == schedule.Required && why.over != nil:
		return nil, why.over
	case needs.Settle == schedule.Required:
		return nil, &ScheduleError{Schedule: c.Request.Schedule, Algorithm: c.Request.Title(), Reason: why.reason,
			Need: why.need}
	}
	if needs.Measures && !c.AnyOrder() && !c.tolerates() {
		c.Task.ActiveRows = false // pulled along whole lists they are the same whatever is measured
	}
	var over *BudgetError
	if p, err = t.attempt(c); errors.As(err, &over) {
		c.Task.ActiveRows = false // which may take more
		refusal := err
		if p, err = t.attempt(c); err != nil {
			err = lesser(refusal, err)
		}
	}
	if err != nil && why.over != nil {
		err = lesser(why.over, err)
	}
	if err != nil {
		return nil, err
	}
	p.Unsettled = why.reason
	return p, nil
}

// tolerates tells whether sums may be taken in an order that depends on what is measured: those of changes, which keep
// to a tolerance, unless iterations in step are asked for.
func (c Computation) tolerates() bool {
	return c.Task.Program.Order == algorithms.Accumulative && !c.Request.Synchronous
}

// settled agrees on local convergence, or fails with *unsettled.
func (t Terms) settled(c Computation) (*Plan, error) {
	if reason := t.neverSettles(c); reason != "" {
		return nil, &unsettled{reason: reason}
	}
	c.Task.Settle = true
	p, err := t.attempt(c)
	var over *BudgetError
	switch {
	case errors.As(err, &over) || plugins.KindOf(err) == plugins.KindUnsupported,
		t.Devices > 1 && plugins.KindOf(err) == plugins.KindInvalid: // what older devices say of a share that settles
		return nil, &unsettled{reason: err.Error(), over: over}
	case err == nil && p.Kernel.Joins: // what joins vertices is no state that devices could tell when they meet
		return nil, &unsettled{reason: "several devices join components at once, each edge sent once"}
	case err == nil && !p.Kernel.Settles:
		return nil, &unsettled{reason: "device " + t.Device.Name + " does not do it"}
	case err == nil && p.Fit.Capacity < p.Fit.Largest && !p.Fit.Cut:
		return nil, &unsettled{reason: "the largest chunk does not fit, and of a vertex all edges must be there"}
	}
	return p, err
}

// onLanes agrees on as many lanes as the device has room for, all chunks beside them; half as many each time it
// refuses. There is no plan with less than two.
func (t Terms) onLanes(c Computation) (*Plan, error) {
	for n := len(t.SourceIDs); n > 1; n /= 2 {
		p, err := t.attempt(c.FromSources(t.SourceIDs[:n]))
		var over *BudgetError
		switch {
		case err == nil && p.Fit.Resident:
			return p, nil
		case err != nil && !errors.As(err, &over) && plugins.KindOf(err) != plugins.KindUnsupported:
			return nil, err
		}
	}
	return nil, nil
}

// within has the devices compile a task, and fits the chunks into the budget. A device
// that refuses the budget is asked once more, without one, to learn which would do.
func (t Terms) within(c Computation) (*Plan, error) {
	layouts, _ := c.Layouts(t.Graph.Manifest().Vertices, t.Devices, t.Arena.Columns)
	c.Task.Layout = layouts[0]
	kernel, err := t.Compile(c.Task, layouts, t.Budget)
	refusal := err
	if plugins.KindOf(err) == plugins.KindBudget {
		kernel, err = t.Compile(c.Task, layouts, 0)
	}
	if err != nil {
		return nil, t.refused(c, refusal)
	}
	p, err := t.fit(c, kernel)
	var small *BudgetError
	switch {
	case refusal == nil:
		return p, err
	case errors.As(err, &small):
		small.Err = refusal // a dense device says which matrix would fit
		return nil, err
	case err != nil:
		return nil, err
	}
	return nil, t.refused(c, refusal)
}

// refused turns a device's own refusal into a *BudgetError. The device cannot say which
// budget would do; what the vertex columns take is a lower bound.
func (t Terms) refused(c Computation, err error) error {
	if plugins.KindOf(err) != plugins.KindBudget {
		return err
	}
	return c.Refused(t.Budget, err)
}

// Refused is a device's own refusal of a budget.
func (c Computation) Refused(budget uint64, err error) *BudgetError {
	need := c.Task.Layout.Active.Length
	for _, column := range c.Task.Layout.Columns {
		need += column.Range.Length
	}
	for _, rows := range c.Task.Layout.Rows {
		need += rows.Range.Length
	}
	return &BudgetError{What: "its state", Need: max(need, budget+1), Have: budget, AtLeast: true,
		Advice: "raise --device-memory", Err: err}
}
