package partition

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host/internal/choose"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Terms are what a partition is agreed on with two devices.
type Terms struct {
	plan.Terms
	Group   *device.Group
	Snap    *store.Snapshot
	Memory  *arena.Arena
	Job     plugins.Job // without a budget
	Chooser choose.Chooser
}

// agreement is a split that is being agreed on.
type agreement struct {
	Terms
	*Split
	rule core.Rule
	task plugins.Task
}

// Agree finds out how the devices work together, chooses the core and fits both parts into their budgets. Where there
// is no core the plan is nil, and the group has only its first device left.
//
// Errors: *plan.RequestError, *plan.ScheduleError, *plan.BudgetError, *plan.DevicesError.
func Agree(ctx context.Context, t Terms) (*Split, *plan.Plan, error) {
	c, m := t.Computation, t.Snap.Manifest()
	rule, err := core.ParseRule(c.Request.Core)
	if err != nil {
		return nil, nil, err
	}
	if c.Schedule.Needs.Streams {
		return nil, nil, &plan.ScheduleError{Schedule: c.Request.Schedule, Algorithm: c.Request.Title(),
			Reason: "a core and a rest stay on their devices"}
	}
	a := agreement{Terms: t, rule: rule, task: c.Task,
		Split: &Split{Rest: t.Group.Devices[0], Dense: t.Group.Devices[1], known: t.Chooser.Known, agreed: time.Now()}}
	if rule.Kind == core.Rabbit && !a.communities() {
		return nil, nil, &plan.RequestError{Reason: fmt.Sprintf(
			"core %s: graph %s is not stored by communities, but in order %q: load it in order rabbit, or choose by degree",
			c.Request.Core, m.Graph, m.Order.Taken)}
	}
	a.Places, _ = Place(c, m.Vertices, t.Arena.Columns)
	a.task.Layout = a.Places.Layout
	if err := a.agreeOnWay(); err != nil {
		return nil, nil, err
	}
	if err := a.choose(ctx); err != nil {
		return nil, nil, err
	}
	if len(a.Set) == 0 {
		a.leaveAlone()
		return a.Split, nil, nil
	}
	p, err := a.fit()
	return a.Split, p, err
}

// agreeOnWay has both devices settle their parts, where the program and both devices are so, or else go
// in step.
func (a *agreement) agreeOnWay() error {
	a.task.Settle = a.maySettle()
	err := a.compileBoth()
	settles := err == nil && a.Rest.Plan.Settles && a.Dense.Plan.Settles
	if a.task.Settle && !settles && (err == nil || plugins.KindOf(err) == plugins.KindUnsupported) {
		a.task.Settle = false
		err = a.compileBoth()
	}
	a.Report.Settled = a.task.Settle
	return err
}

// maySettle tells whether messages may arrive in any order and do nothing but improve the first column.
func (a *agreement) maySettle() bool {
	p := a.task.Program
	applies := slices.ContainsFunc(p.State, func(c algorithms.State) bool { return c.Apply.Source != "" })
	return a.Unsettled == "" && !a.Computation.Request.Synchronous && !applies && !p.Exactly &&
		p.Order == algorithms.Monotone
}

// compileBoth has the devices plan the task, as if the core were of one vertex.
func (a *agreement) compileBoth() error {
	if err := a.compile(a.Rest); err != nil {
		if plugins.KindOf(err) == plugins.KindBudget {
			c := a.Computation
			c.Task.Layout = a.task.Layout
			return c.Refused(a.Budget, err)
		}
		return err
	}
	a.Dense.Linked = 1
	err := a.compile(a.Dense)
	if plugins.KindOf(err) == plugins.KindBudget {
		return a.Computation.Request.CannotShare("not even a core of one vertex fits " + a.Dense.Name + ": " + err.Error())
	}
	return err
}

// compile has a device plan the task for its part.
func (a *agreement) compile(d *device.Device) error {
	d.Layout = a.Places.Layout // in step the state is the first device's alone
	if d == a.Dense && a.task.Settle {
		d.Layout.Columns = slices.Concat(d.Layout.Columns[:a.Computation.Inputs()], a.Places.Own)
		d.Layout.Active = a.Places.OwnActive
	}
	job := a.Job
	job.Budget = d.Budget
	err := a.Group.CompileOn(d, job, a.task)
	if err == nil && !d.Plan.Parts {
		return a.Computation.Request.CannotShare(d.Name + " computes with all edges or none")
	}
	return err
}

// leaveAlone leaves everything to the first device, whose run is an ordinary one.
func (a *agreement) leaveAlone() {
	a.Dense.Plugin.Close()
	a.Group.Devices, a.Group.Parts = a.Group.Devices[:1], false
	a.Rest.Several, a.Report.Settled = false, false
}

// fit takes the chunks that either of the devices wants, and places them.
func (a *agreement) fit() (*plan.Plan, error) {
	kernel := a.Rest.Plan
	kernel.Kernel += "; core: " + a.Dense.Plan.Kernel
	for _, d := range a.Dense.Plan.Directions {
		if !slices.Contains(kernel.Directions, d) {
			kernel.Directions = append(slices.Clip(kernel.Directions), d)
		}
	}
	c := a.Computation
	c.Task = a.task
	p, err := a.FitParts(c, kernel, func(c plan.Chunk) bool { return Wants(a.Snap.Manifest(), a.Rest, c) })
	if err != nil {
		return nil, err
	}
	chosen := a.Report
	p.Core = &chosen
	return p, nil
}
