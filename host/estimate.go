package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/host/internal/choose"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/open"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/store"
)

// Estimate tells what Run would take with the same request, and fails as it would,
// without running: the device is started and compiles. Chunks are read only where lists tell whether the graph is deep.
func Estimate(ctx context.Context, snap *store.Snapshot, req Request) (*Needs, error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	req, err := withInstalled(req, func() (*registry.Registry, error) { return registry.Open(req.PluginDir) })
	c := plan.Computation{Request: req}
	if err == nil {
		if c, err = plan.Bind(ctx, snap, req); err != nil {
			err = cause(ctx, err)
		}
	}
	var needs *Needs
	if err == nil {
		needs, err = estimate(ctx, fail, snap, c)
	}
	if err != nil {
		return nil, fmt.Errorf("%s on graph %s: %w", c.Request.Title(), snap.Manifest().Graph, err)
	}
	return needs, nil
}

func estimate(ctx context.Context, fail context.CancelCauseFunc, snap *store.Snapshot, c plan.Computation) (*Needs,
	error) {
	machine, err := pages.Physical()
	if err != nil {
		return nil, err
	}
	if c.Request.Device == plan.AutoDevice {
		c.Request.Device = plan.CPUDevice
	}
	linked := new(device.LinkedCounts)
	finder := device.Finder{Allowed: c.Request.Allowed, Unconfined: c.Request.Unconfined,
		Installed: func() (*registry.Registry, error) { return registry.Open(c.Request.PluginDir) }}
	o, err := open.Open(ctx, fail, open.Input{
		Snap: snap, Of: c, Chooser: choose.Chooser{Known: choose.NewKnown(nil, c, snap, linked), Finder: finder},
		Linked: linked, Machine: machine, Memory: machine,
		Rec: meter.New(0, func(Span) {}), Events: Events{}.Filled(), Estimating: true,
	})
	defer func() { o.Close(fail, nil, nil) }() // also after an error
	if err != nil {
		return nil, cause(ctx, err)
	}
	var needs *Needs
	if _, splits := plan.SplitNames(c.Request.Device); splits {
		needs, err = coreAndRest(o, c)
	} else {
		needs, err = allWays(plan.Once(o.Terms(c)))
	}
	if err != nil {
		return nil, cause(ctx, err)
	}
	return needs, nil
}

// coreAndRest agrees with the devices on what each has. No least budget is named: of a core less than was chosen
// may do.
func coreAndRest(o *open.Opened, c plan.Computation) (*Needs, error) {
	p, _, err := o.Agree(c)
	if err != nil {
		return nil, err
	}
	needs := p.Needs()
	return &needs, nil
}

// allWays agrees with the devices on the run, and on that by each schedule.
func allWays(t plan.Terms) (*Needs, error) {
	p, err := plan.Agree(t)
	if err != nil {
		return nil, err
	}
	needs := p.Needs()
	if needs.Least, err = plan.LeastBudget(t); err == nil {
		needs.Schedules, err = alternatives(t)
	}
	return &needs, err
}

// alternatives agrees with the devices on the run by each schedule, in turn.
func alternatives(t plan.Terms) (all []Alternative, err error) {
	for _, name := range Schedules {
		t.Computation.Request.Schedule = name
		if t.Computation.Schedule, err = schedule.Parse(name); err != nil {
			return nil, err
		}
		a := Alternative{Name: name}
		if p, err := plan.Agree(t); refuses(err) {
			a.Refused = err.Error()
		} else if err != nil {
			return nil, err
		} else {
			needs := p.Needs()
			a.Needs = &needs
		}
		if a.Least, err = plan.LeastBudget(t); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// refuses tells whether an error says that a run can be only otherwise.
func refuses(err error) bool {
	var schedule *ScheduleError
	var budget *BudgetError
	return errors.As(err, &schedule) || errors.As(err, &budget)
}
