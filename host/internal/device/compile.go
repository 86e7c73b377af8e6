package device

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
)

// Compile opens sessions for a job and has the devices plan the task, within the budget of the job. Vertex columns lie
// where layouts say, device by device; of a crew where the first says. In a task of intervals each has a session of all
// vertices that it knows of, so that it has no share of them.
func (g *Group) Compile(job plugins.Job, task plugins.Task, layouts []plugins.Layout) (plugins.Plan, error) {
	task.Joins = !task.Intervals && !slices.ContainsFunc(g.Devices, func(d *Device) bool {
		return d.Share == nil || extension.Lacks(d.About, plugins.ExtensionJoins)
	})
	all, err := g.compileAll(job, task, layouts)
	joins := func(d *Device) bool { return d.Plan.Joins }
	if err == nil && !all.Joins && slices.ContainsFunc(g.Devices, joins) {
		task.Joins = false // what they leave to each other must be the same
		all, err = g.compileAll(job, task, layouts)
	}
	return all, err
}

func (g *Group) compileAll(job plugins.Job, task plugins.Task, layouts []plugins.Layout) (plugins.Plan, error) {
	for i, d := range g.Devices {
		if d.Layout = layouts[0]; !g.Crew() {
			d.Layout = layouts[i]
		}
		if err := g.CompileOn(d, job, task); err != nil {
			return plugins.Plan{}, err
		}
	}
	return g.join(!task.Intervals)
}

// CompileOn is Compile on one device, whose layout is set.
func (g *Group) CompileOn(d *Device, job plugins.Job, task plugins.Task) error {
	return g.call(g.ctx, d, func(ctx context.Context) error { return g.compileOn(ctx, d, job, task) })
}

func (g *Group) compileOn(ctx context.Context, d *Device, job plugins.Job, task plugins.Task) (err error) {
	if task.Layout, task.Share = d.Layout, d.Share; task.Intervals {
		task.Share = nil
	}
	switch {
	case g.Crew():
		if !extension.Offers(d.About, plugins.ExtensionWorkers) {
			return undivided(d, task)
		}
		task.Args.Ints = maps.Clone(task.Args.Ints)
		task.Args.Ints[plugins.ProcessArgument] = int64(d.Process)
	case task.Network == nil:
		task.Restorable, task.Part = task.Restorable || d.Several, task.Part || g.Parts
		task.Places = task.Places && (task.Joins || d.Share == nil) // others do not tell what they have looked at
	}
	if err := g.refuse(d, extension.Missing(d.About, task)); err != nil {
		return err
	}
	if d.Session != nil {
		stop := context.AfterFunc(ctx, d.Plugin.Kill) // Close does not know when it has waited for too long
		err := d.Session.Close()
		stop()
		if err != nil {
			return err
		}
	}
	job.Graph.Linked = d.Linked
	d.Plugin.Give(d.Budget, d.About.Memory > 0)
	if d.Session, err = d.Plugin.Device.Open(ctx, job); err != nil {
		return err
	}
	if d.Plan, err = d.Session.Compile(ctx, task); err != nil {
		return err
	}
	return checkNeeds(d)
}

// mostFixed is more than any machine has, and so little that sums of what many devices and chunks take do not overflow.
const mostFixed = 1 << 56

// checkNeeds fails where a device tells a need that nothing can meet. Beside chunks it would come to little, or to less
// than nothing.
func checkNeeds(d *Device) error {
	if d.Plan.Fixed <= mostFixed {
		return nil
	}
	return violation.Of(d.Name, "a plan that needs %d bytes beside the chunks, which no machine has: the formula of what it "+
		"needs overflows, or the graph is far too large for it", d.Plan.Fixed)
}

// undivided refuses to divide workers among processes of a device that would have each learn everything.
func undivided(d *Device, task plugins.Task) error {
	workers, processes := task.Args.Ints["workers"], task.Args.Ints[plugins.ProcessesArgument]
	return &plugins.Error{Device: d.Name, Kind: plugins.KindUnsupported, Chunk: -1, Err: fmt.Errorf("it does not have the "+
		"extension %s, so that %d processes cannot divide its %d workers: have them be threads of one process, by workers %d",
		plugins.ExtensionWorkers, processes, workers, workers)}
}

// CanCompute refuses a task for which a device has said of itself that it lacks an extension.
func (g *Group) CanCompute(d *Device, task plugins.Task) error {
	return g.refuse(d, extension.Missing(d.About, task))
}

// refuse is what a task comes to on a device that has said of itself that it lacks an extension: what the device would
// answer, which is not asked. Without an extension it is nil.
func (g *Group) refuse(d *Device, missing plugins.Extension) error {
	switch missing {
	case "":
		return nil
	case plugins.ExtensionShares:
		return g.req.CannotShare(d.Name + " computes with all vertices or none")
	case plugins.ExtensionParts:
		return g.req.CannotShare(d.Name + " computes with all edges or none")
	}
	return &plugins.Error{Device: d.Name, Kind: plugins.KindUnsupported, Chunk: -1,
		Err: fmt.Errorf("the device does not have the extension %s", missing)}
}

// join puts the devices' plans together as one device's: each must have room for the most
// that one of them takes, and all must want the same chunks. shares: each sees to a share of the vertices.
func (g *Group) join(shares bool) (plugins.Plan, error) {
	first := g.Devices[0]
	all := first.Plan
	for _, d := range g.Devices {
		switch plan := d.Plan; {
		case g.Crew():
		case shares && d.Several && !plan.Shares:
			return all, g.req.CannotShare(d.Name + " computes with all vertices or none")
		case plan.ActiveRows != all.ActiveRows || !slices.Equal(plan.Directions, all.Directions):
			return all, g.req.CannotShare(fmt.Sprintf("%s and %s go through the edges in different ways", first.Name, d.Name))
		case plan.Kernel != first.Plan.Kernel:
			all.Kernel += "; " + d.Name + ": " + plan.Kernel
		}
		all.Fixed = max(all.Fixed, d.Plan.Fixed)
		all.Restores = all.Restores && d.Plan.Restores
		all.Settles = all.Settles && d.Plan.Settles
		all.Joins = all.Joins && d.Plan.Joins
		all.Intervals = all.Intervals && d.Plan.Intervals
	}
	if g.Crew() {
		all.Fixed = g.Fixed() // of one machine's memory, whoever has it
	}
	return all, nil
}
