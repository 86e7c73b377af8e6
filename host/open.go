package host

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/launch"
	"github.com/penstock-db/penstock/host/registry"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// open starts the plugin while the arena is made and filled, and agrees with the device
// on a plan that fits the budget.
func (r *run) open() error {
	place, err := r.createArena()
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(r.ctx)
	g.Go(func() error { return r.launch(ctx) })
	g.Go(func() error { return r.fillInputs(ctx) })
	if err := g.Wait(); err != nil {
		return err
	}
	return r.agree(place)
}

// createArena makes room for the vertex columns and, behind them, for as many chunks as
// could ever be wanted. Memory that is not used later is never touched, and costs nothing.
func (r *run) createArena() (*placer, error) {
	var place *placer
	r.task.Layout, place = layout(r.columns, r.snap.Manifest().Vertices)
	var all, largest uint64
	for _, d := range []chunk.Direction{chunk.Out, chunk.In} {
		pieces, err := r.pieces(d)
		if err != nil {
			return nil, err
		}
		for _, c := range pieces {
			all += uint64(c.size)
			largest = max(largest, uint64(c.size))
		}
	}
	room := max(all, maxSlots*largest, arena.Align)
	var err error
	r.arena, err = arena.Create(place.used + room)
	return place, err
}

// launch starts the plugin and asks it to describe itself.
func (r *run) launch(ctx context.Context) error {
	spec, err := r.spec()
	if err != nil {
		return err
	}
	r.device.Name = spec.Name // until it tells another
	if r.plugin, err = launch.Start(ctx, spec, launch.Options{Log: r.req.Log, Timeout: max(r.req.Timeout, launch.DefaultTimeout)}); err != nil {
		return err
	}
	r.spare = context.AfterFunc(r.ctx, r.plugin.Kill)
	err = r.call(ctx, func(ctx context.Context) error {
		r.device, err = r.plugin.Device.Describe(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if r.budget, err = budget(r.req.DeviceMemory, r.device); err != nil {
		return err
	}
	r.events.Launched(Launch{PID: r.plugin.PID(), Protocol: r.plugin.Protocol(), Device: r.device})
	return nil
}

// spec finds the program that Request.Device names.
func (r *run) spec() (launch.Spec, error) {
	switch device := r.req.Device; {
	case device == "auto" || device == "cpu":
		return launch.Self()
	case strings.ContainsRune(device, filepath.Separator):
		path, err := filepath.Abs(device)
		return launch.Spec{Name: filepath.Base(path), Path: path}, err
	default:
		installed, err := registry.Open(r.req.PluginDir)
		if err != nil {
			return launch.Spec{}, err
		}
		return installed.Resolve(device)
	}
}

// agree opens the session, compiles the task and fits the chunks into the budget. A device
// that refuses the budget is asked once more, without one, to learn which would do.
func (r *run) agree(place *placer) error {
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
	if err := r.fits(place); err != nil || refusal == nil {
		return err
	}
	return r.refused(refusal)
}

// compile opens a session with this budget (0: no bound) and has it plan the task.
func (r *run) compile(budget uint64) error {
	return r.call(r.ctx, func(ctx context.Context) (err error) {
		if r.session, err = r.plugin.Device.Open(ctx, r.job(budget)); err != nil {
			return err
		}
		r.kernel, err = r.session.Compile(ctx, r.task)
		return err
	})
}

func (r *run) job(budget uint64) plugins.Job {
	m := r.snap.Manifest()
	return plugins.Job{
		Arena: r.arena, Budget: budget, Threads: r.req.Threads,
		Graph: plugins.Graph{Name: m.Graph, Snapshot: m.ID, Vertices: m.Vertices, Edges: m.Edges, Directed: m.Directed},
	}
}

// call makes small calls to the plugin, which must answer within the timeout. The plugin
// is not told of a deadline: it might keep to it, and fail a moment before it.
func (r *run) call(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tooLate := hung(r.device.Name, r.req.Timeout)
	late := time.AfterFunc(r.req.Timeout, func() { cancel(tooLate) })
	defer late.Stop()
	err := do(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return r.diagnose(err)
	}
	return nil
}
