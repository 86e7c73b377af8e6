// Package open gets the devices and the memory of a run ready, and agrees with the devices on its plan.
//
//	find devices ─▶ take a warm one, or make an arena ─▶ start ‖ fill inputs ‖ divide ‖ read early ─▶ Agree ─▶ Close, or keep
package open

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/choose"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/partition"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/pool"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Input is what a run is to be opened for, and with what.
type Input struct {
	Snap    *store.Snapshot
	Of      plan.Computation
	Chooser choose.Chooser
	Linked  *device.LinkedCounts
	Pool    *pool.Pool // nil: no device is taken or kept
	Machine uint64     // bytes of this machine's memory, by which a budget goes
	Memory  uint64     // bytes that chunks may take half of; 0: unknown
	Rec     *meter.Recorder
	Events  report.Events
	// Estimating: nothing will be run, so no chunk is read, but to find out whether the graph is deep.
	Estimating bool
	Unsettled  string // why an earlier attempt could not settle; empty: there was none
	Sorted     bool   // that was in topological order
}

// Opened is the devices and the memory of a run.
type Opened struct {
	Input
	Group  *device.Group
	Device *pool.Device // the first device and its memory; nil: not made yet
	Warm   bool         // the device was there

	ctx      context.Context // the run's
	lasting  bool            // the device may serve another run
	occupied uint64          // bytes of the arena that the vertex columns of all devices take
	ids      []int64         // of the sources that the device may take at once
	held     int64           // bytes of the context's account
	tooMuch  error           // why it does not hold the state of all vertices; nil: it does
	lists    longestLists
	looked   *supply.Supply // chunks that were looked at to agree on a plan; nil: none
}

// Open has the devices start, unless one is warm, while the arena is filled. What it returns has to be closed, also
// after an error. ctx is the run's, which fail ends.
func Open(ctx context.Context, fail context.CancelCauseFunc, in Input) (*Opened, error) {
	o := &Opened{Input: in, ctx: ctx, lists: longestLists{}}
	devices, parts, err := in.Chooser.Finder.Find(in.Of.Request.Device)
	if err != nil {
		return o, err
	}
	if len(devices) == 1 {
		devices = devices[0].Processes(in.Of.Request.Processes)
	}
	o.Group = device.NewGroup(ctx, fail, in.Of.Request, devices, parts)
	if err := o.occupy(devices[0]); err != nil {
		return o, err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return o.start(ctx) })
	g.Go(func() error { return o.fillInputs(ctx) })
	g.Go(func() error { return o.Group.Divide(ctx, in.Snap, in.Of.Edges) })
	g.Go(func() error { return o.tellLinked(ctx) })
	g.Go(func() error { return o.readEarly(ctx) })
	return o, g.Wait()
}

// start starts the devices, and tells of them.
func (o *Opened) start(ctx context.Context) error {
	if err := o.Group.Start(ctx, o.Machine); err != nil {
		return err
	}
	first := o.Group.Devices[0]
	o.Device.Plugin, o.Device.About = first.Plugin, first.About
	o.Device.Cache.SetMapped(o.Group.Describe().MapsFiles)
	o.Group.Tell(o.Events.Launched)
	return nil
}

// fillInputs writes the columns that devices only read. By the degrees a device plans passes, also where nothing will
// run.
func (o *Opened) fillInputs(ctx context.Context) error {
	if o.Estimating && o.Of.Task.Program != nil {
		return nil
	}
	layout, _ := o.layout(o.Device.Cache.Layout.Columns)
	if err := supply.FillRows(o.Device.Cache.Arena, layout, o.Of.Request.Given, o.Of.Vectors); err != nil {
		return err
	}
	if err := supply.FillInputs(ctx, o.Snap, o.Device.Cache.Arena, layout); err != nil || o.Estimating {
		return err
	}
	return supply.FillProperties(ctx, o.Snap, o.Device.Cache.Arena, layout, o.Of.Properties, o.Of.Vectors, o.Rec)
}

// tellLinked has the only device know how many vertices have an edge, unless it is the built-in one, which goes by
// edges.
func (o *Opened) tellLinked(ctx context.Context) (err error) {
	if first := o.Group.Devices[0]; len(o.Group.Devices) == 1 && !first.Spec.BuiltIn() {
		first.Linked, err = o.Linked.Of(ctx, o.Snap)
	}
	return err
}

// readEarly reads chunks while the plugin starts, where it is sure which will be wanted:
// of an undirected graph there is only one set. Should the device need so much beside them
// that they do not all fit, they are given up again.
func (o *Opened) readEarly(ctx context.Context) error {
	if o.Estimating || o.Of.Edgeless || o.Snap.Manifest().Directed || o.Of.Schedule.Needs.Streams || o.Group.Parts {
		return nil
	}
	chunks, err := o.Of.Chunks(o.Snap, chunk.Out)
	if err != nil {
		return err
	}
	need := o.occupied
	for _, c := range chunks {
		need += c.Device
	}
	if need > o.expectedBudget() {
		return nil
	}
	p := plan.Plan{Chunks: chunks}
	early := supply.New(o.Snap, o.Device.Cache, chunks, o.Of.EdgeNames, o.Rec)
	own := func(i int) arena.Range { return o.Device.Cache.Layout.Places[chunks[i].Name()] }
	for l := range early.Read(o.ctx, p.Numbers(), own) {
		if l.Err != nil || ctx.Err() != nil {
			return errors.Join(l.Err, ctx.Err())
		}
	}
	return nil
}

// expectedBudget is the budget before the device has described itself.
func (o *Opened) expectedBudget() uint64 {
	return plan.Budget(o.Of.Request.DeviceMemory, plugins.Description{}, o.Machine)
}

// Agree agrees with the devices on a plan. There is a split if each of two devices was to have a part of the edges; if
// none was worth it the plan is that of the first device alone.
func (o *Opened) Agree(c plan.Computation) (p *plan.Plan, s *partition.Split, err error) {
	t := o.Terms(c)
	if o.Group.Parts {
		o.Device.Cache.SetMapped(o.Group.Devices[0].About.MapsFiles)
		s, p, err = partition.Agree(o.ctx, partition.Terms{Terms: t, Group: o.Group, Snap: o.Snap,
			Memory: o.Device.Cache.Arena, Job: o.job(0), Chooser: o.Chooser})
		if err != nil {
			return nil, s, err
		}
		t.Device, t.Devices = o.Group.Describe(), len(o.Group.Devices)
	}
	if p == nil {
		p, err = plan.Agree(t)
	}
	if err != nil {
		return nil, s, err
	}
	if p.Raised > 0 {
		o.Group.Grant(p.Budget)
	}
	o.Device.Cache.Prepare(p)
	return p, s, nil
}

// Terms are those that a plan is agreed on with the devices by.
func (o *Opened) Terms(c plan.Computation) plan.Terms {
	all, uncut := o.Group.Describe(), o.uncut()
	return plan.Terms{
		CompileCell: o.compileCell(uncut), Uncut: uncut, Longest: o.longest, Deep: looking{o}.deep, AtHand: looking{o}.atHand,
		Computation: c, Graph: o.Snap, Device: all, Devices: o.Group.Apart(),
		Budget: plan.Budget(o.Of.Request.DeviceMemory, all, o.Machine), Machine: o.Memory, Most: most(o.Input, all),
		Arena: o.Device.Cache.Layout, Occupied: o.occupied, SourceIDs: o.ids, Unsettled: o.Unsettled, Sorted: o.Sorted,
		Compile: func(task plugins.Task, layouts []plugins.Layout, budget uint64) (plugins.Plan, error) {
			return o.Group.Compile(o.job(budget), task, layouts)
		},
	}
}

// most is up to what the budget may be raised, if nobody has named it and the device is in this machine's memory.
func most(in Input, all plugins.Description) func() uint64 {
	if in.Of.Request.DeviceMemory > 0 || all.Memory > 0 {
		return nil
	}
	return func() uint64 {
		free, err := pages.Available()
		if err != nil {
			return 0 // it is not known
		}
		return plan.Most(in.Machine, free)
	}
}

func (o *Opened) job(budget uint64) plugins.Job {
	m := o.Snap.Manifest()
	return plugins.Job{
		Arena: o.Device.Cache.Arena, Budget: budget, Threads: o.Of.Request.Threads,
		Graph: plugins.Graph{Name: m.Graph, Snapshot: m.ID, Vertices: m.Vertices, Edges: m.Edges, Directed: m.Directed},
	}
}

// uncut says why state is not cut into intervals; empty: it may be.
func (o *Opened) uncut() string {
	if o.Group.Parts {
		return "a core and a rest have all state each, which is not cut into intervals"
	}
	for _, d := range o.Group.Devices {
		if extension.Lacks(d.About, plugins.ExtensionIntervals) {
			return d.Name + " does not have the extension intervals, by which state is cut"
		}
	}
	return ""
}

// compileCell compiles the sessions of cells.
func (o *Opened) compileCell(uncut string) func(plugins.Task, []plugins.Layout, uint64, uint64) (plugins.Plan, error) {
	if uncut != "" {
		return nil
	}
	return func(task plugins.Task, layouts []plugins.Layout, vertices, budget uint64) (plugins.Plan, error) {
		job := o.job(budget)
		job.Graph.Vertices = vertices
		return o.Group.Compile(job, task, layouts)
	}
}
