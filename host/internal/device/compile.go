package device

import (
	"context"
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
)

// Compile opens sessions for a job and has the devices plan the task, within the budget of the job. Vertex columns lie
// where layouts say, device by device.
func (g *Group) Compile(job plugins.Job, task plugins.Task, layouts []plugins.Layout) (plugins.Plan, error) {
	for i, d := range g.Devices {
		d.Layout = layouts[i]
		if err := g.CompileOn(d, job, task); err != nil {
			return plugins.Plan{}, err
		}
	}
	return g.join()
}

// CompileOn is Compile on one device, whose layout is set.
func (g *Group) CompileOn(d *Device, job plugins.Job, task plugins.Task) error {
	return g.call(g.ctx, d, func(ctx context.Context) error { return g.compileOn(ctx, d, job, task) })
}

func (g *Group) compileOn(ctx context.Context, d *Device, job plugins.Job, task plugins.Task) (err error) {
	if reason := d.lacks(g.Parts); reason != "" {
		return g.req.CannotShare(reason)
	}
	if d.Session != nil {
		if err := d.Session.Close(); err != nil {
			return err
		}
	}
	job.Graph.Linked = d.Linked
	if d.Session, err = d.Plugin.Device.Open(ctx, job); err != nil {
		return err
	}
	task.Layout, task.Share = d.Layout, d.Share
	task.Restorable, task.Part = task.Restorable || d.Several, g.Parts
	d.Plan, err = d.Session.Compile(ctx, task)
	return err
}

// lacks says why the device, by what it has said of itself, cannot see to its share of the vertices, or of the edges
// (parts); empty: it does not say that it cannot, and its plan tells.
func (d *Device) lacks(parts bool) string {
	switch {
	case d.Share != nil && extension.Lacks(d.About, plugins.ExtensionShares):
		return d.Name + " computes with all vertices or none"
	case parts && extension.Lacks(d.About, plugins.ExtensionParts):
		return d.Name + " computes with all edges or none"
	}
	return ""
}

// join puts the devices' plans together as one device's: each must have room for the most
// that one of them takes, and all must want the same chunks.
func (g *Group) join() (plugins.Plan, error) {
	first := g.Devices[0]
	all := first.Plan
	for _, d := range g.Devices {
		switch plan := d.Plan; {
		case d.Several && !plan.Shares:
			return all, g.req.CannotShare(d.Name + " computes with all vertices or none")
		case plan.ActiveRows != all.ActiveRows || !slices.Equal(plan.Directions, all.Directions):
			return all, g.req.CannotShare(fmt.Sprintf("%s and %s go through the edges in different ways", first.Name, d.Name))
		case plan.Kernel != first.Plan.Kernel:
			all.Kernel += "; " + d.Name + ": " + plan.Kernel
		}
		all.Fixed = max(all.Fixed, d.Plan.Fixed)
		all.Restores = all.Restores && d.Plan.Restores
	}
	return all, nil
}
