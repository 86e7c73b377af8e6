package host

import (
	"errors"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// agree finds out how the device runs the task within the budget: with all chunks on it;
// else part by part, each brought to local convergence, where the schedule and the program
// are so; else iteration by iteration.
func (r *run) agree() error {
	r.task.ActiveRows, r.task.Places, r.task.Settle, r.why = false, false, false, nil
	if err := r.refuseStreaming(); err != nil {
		return err
	}
	if agreed, err := r.agreeOnLanes(); agreed || err != nil {
		return err
	}
	if err := r.agreeOn(); err != nil || r.fit.resident || !r.policy.Needs.Demand {
		return err
	}
	r.task.ActiveRows = true
	r.task.Places = !r.policy.Needs.Grid // of a part of a list that is cut by columns none would know where it stands
	err := r.agreeToSettle()
	if !errors.As(err, &r.why) {
		return err
	}
	if r.policy.Needs.Settle == schedule.Required {
		return &ScheduleError{Schedule: r.req.Schedule, Algorithm: r.req.name(), Reason: r.why.reason}
	}
	r.task.Settle = false
	if r.req.Schedule == scheduleAuto && r.sums() {
		r.task.ActiveRows = false // pulled along whole lists they are the same whatever is measured
	}
	var over *BudgetError
	if err = r.agreeOn(); errors.As(err, &over) {
		r.task.ActiveRows = false // which may take more
		err = r.agreeOn()
	}
	return err
}

// sums tells whether messages are added up or multiplied, so that their order shows in the result.
func (r *run) sums() bool {
	reduce := r.task.Program.Reduce
	return reduce == algorithms.Sum || reduce == algorithms.Prod
}

// explain says how the run was carried out, and why so.
func (r *run) explain() string {
	switch {
	case r.split != nil:
		return r.split.explain()
	case r.fit.resident:
		return "all chunks fit the budget"
	case r.req.Schedule == scheduleWhole:
		return "chunks come again in each iteration, as the schedule says"
	case r.settling:
		return "not all chunks fit the budget: parts of the graph are brought to local convergence"
	case r.why != nil:
		return "not all chunks fit the budget; iteration by iteration: " + r.why.reason
	}
	return "not all chunks fit the budget"
}

// unsettled says why parts of the graph are not brought to local convergence.
type unsettled struct{ reason string }

func (u *unsettled) Error() string { return u.reason }

// agreeToSettle agrees on local convergence, or fails with *unsettled.
func (r *run) agreeToSettle() error {
	if reason := r.mustNotSettle(); reason != "" {
		return &unsettled{reason}
	}
	r.task.Settle = true
	err := r.agreeOn()
	var over *BudgetError
	switch {
	case errors.As(err, &over) || plugins.KindOf(err) == plugins.KindUnsupported:
		return &unsettled{err.Error()}
	case err == nil && !r.kernel.Settles:
		return &unsettled{"device " + r.device.Name + " does not do it"}
	case err == nil && r.fit.capacity < r.fit.largest:
		return &unsettled{"the largest chunk does not fit, and of a vertex all edges must be there"}
	}
	return err
}

// mustNotSettle says why parts of the graph cannot be brought to local convergence, as far
// as that is known without the device.
func (r *run) mustNotSettle() string {
	switch {
	case r.cannot != nil:
		return r.cannot.reason
	case len(r.devices) > 1:
		return "several devices exchange state after every iteration"
	case r.req.Schedule == scheduleAuto && r.task.Program.Order == algorithms.Monotone && len(r.edgeNames) == 0:
		return "without weights, to go by levels or to join components at once is less work than to settle"
	case r.req.Synchronous || r.policy.Needs.Settle == schedule.Never:
		return "every iteration is to end before the next begins"
	case r.task.Program.Order == algorithms.Synchronous:
		return "it needs every message of an iteration before the next"
	case r.edges == algorithms.BothSides && r.snap.Manifest().Directed:
		return "messages go both ways along directed edges, which a vertex has in two chunks"
	}
	return ""
}

// agreeOn opens the session, compiles the task and fits the chunks into the budget. A device
// that refuses the budget is asked once more, without one, to learn which would do.
func (r *run) agreeOn() error {
	r.settling = r.task.Settle
	err := r.compile(r.budget)
	refusal := err
	if plugins.KindOf(err) == plugins.KindBudget {
		err = r.compile(0)
	}
	if err != nil {
		return r.refused(refusal)
	}
	if err := r.chooseChunks(); err != nil {
		return err
	}
	err = r.fits()
	var small *BudgetError
	switch {
	case refusal == nil:
		return err
	case errors.As(err, &small):
		small.Err = refusal // a dense device says which matrix would fit
		return err
	case err != nil:
		return err
	}
	return r.refused(refusal)
}
