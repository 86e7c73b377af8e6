package device

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/plugins"
)

// Start sees to it that all devices run and have described themselves. Each has its time and a budget then: that of
// all, or, where each has a part of the edges, its own.
func (g *Group) Start(ctx context.Context, machine uint64) error {
	e, ctx := errgroup.WithContext(ctx)
	for _, d := range g.Devices {
		e.Go(func() error { return g.startOne(ctx, d) })
	}
	if err := e.Wait(); err != nil {
		return err
	}
	all := g.Describe()
	for _, d := range g.Devices {
		d.Plugin.GiveTime(g.req.DeviceCPUTime)
		if d.Budget = plan.Budget(g.req.DeviceMemory, all, machine); g.Parts {
			d.Budget = plan.Budget(g.req.DeviceMemory, d.About, machine)
		}
	}
	return nil
}

// Grant raises the budgets of devices to what a plan has found them to need.
func (g *Group) Grant(budget uint64) {
	for _, d := range g.Devices {
		if budget > d.Budget {
			d.Budget = budget
			d.Plugin.Give(d.Budget, d.About.Memory > 0)
		}
	}
}

// Tell tells of each device that it runs.
func (g *Group) Tell(launched func(report.Launch)) {
	for _, d := range g.Devices {
		launched(report.Launch{PID: d.Plugin.PID(), Protocol: d.Plugin.Protocol(), Device: d.About})
	}
}

func (g *Group) startOne(ctx context.Context, d *Device) error {
	switch {
	case d.Plugin == nil:
		return g.Launch(ctx, d)
	case d.spare != nil: // it has been started by this run
		return nil
	}
	d.Plugin.Redirect(g.req.Log)
	d.spare = context.AfterFunc(g.ctx, d.Plugin.Kill)
	return nil
}

// Launch starts a plugin and asks it to describe itself.
func (g *Group) Launch(ctx context.Context, d *Device) error {
	var err error
	began := time.Now()
	if d.Plugin, err = d.ahead.Start(ctx, d.Spec, launch.Options{Log: g.req.Log, Timeout: g.req.Timeout}); err != nil {
		return d.named(err)
	}
	d.spare = context.AfterFunc(g.ctx, d.Plugin.Kill)
	err = g.call(ctx, d, func(ctx context.Context) error {
		d.About, err = d.Plugin.Device.Describe(ctx)
		return err
	})
	if err == nil {
		err = d.checkName()
	}
	if !d.Several {
		g.Launching = time.Since(began)
	}
	if !d.Several && err == nil {
		d.Name = d.About.Name
	}
	return err
}

// checkName fails where what was installed under one name calls itself by another: reports would say that another
// device had computed, and rights go by names.
func (d *Device) checkName() error {
	if installed := d.Spec.Version != ""; !installed || d.About.Name == d.Spec.Name {
		return nil
	}
	err := plugins.Errorf(plugins.KindLaunch, "it calls itself %q, and was installed as %q: install it again, under "+
		"its name", d.About.Name, d.Spec.Name)
	err.Device = d.Spec.Name
	return err
}

// call makes small calls to a plugin, which must answer within the timeout. The plugin
// is not told of a deadline: it might keep to it, and fail a moment before it.
func (g *Group) call(ctx context.Context, d *Device, do func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tooLate := link.Hung(d.Name, g.req.Timeout)
	late := time.AfterFunc(g.req.Timeout, func() { cancel(tooLate) })
	defer late.Stop()
	err := do(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return g.diagnose(d, err)
	}
	return nil
}
