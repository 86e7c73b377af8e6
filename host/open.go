package host

import (
	"context"
	"errors"
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

// open has the plugin start, if none is warm, while the arena is filled, and agrees with
// the device on a plan that fits the budget.
func (r *run) open() error {
	spec, err := r.spec()
	if err != nil {
		return err
	}
	r.device.Name = spec.Name // until it tells another
	if err := r.occupy(spec); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(r.ctx)
	g.Go(func() error { return r.start(ctx, spec) })
	g.Go(func() error { return r.fillInputs(ctx) })
	g.Go(func() error { return r.readEarly(ctx) })
	if err := g.Wait(); err != nil {
		return err
	}
	return r.agree()
}

// occupy finds a warm device or makes the arena for one, and lays out the vertex columns.
func (r *run) occupy(spec launch.Spec) error {
	r.occupied = r.placeColumns(0)
	if err := r.takeWarm(spec); err != nil {
		return err
	}
	if r.warm == nil {
		if err := r.createArena(spec); err != nil {
			return err
		}
	}
	r.plugin, r.arena, r.device = r.warm.plugin, r.warm.arena, r.warm.device
	// The built-in device is of this program, and known before it says so.
	r.maps.Store(r.device.MapsFiles || r.plugin == nil && spec.BuiltIn() && arena.CanMapFiles)
	r.placeColumns(r.warm.columns)
	return r.clearColumns()
}

// takeWarm asks the engine for a device of an earlier run. Those that it keeps for others
// end unless the budget has room for them beside this run.
func (r *run) takeWarm(spec launch.Spec) error {
	if r.engine == nil {
		return nil
	}
	// A program that is named by its path may be another one by the time of the next run.
	if r.lasting = spec.Lasting(); r.lasting {
		r.warm = r.engine.take(r.warmKey(spec))
	}
	if r.warm != nil && r.warm.columns+r.occupied > r.warm.arena.Size() {
		r.warm.close()
		r.warm = nil
	}
	have, err := budget(r.req.DeviceMemory, plugins.Description{})
	r.engine.makeRoom(min(r.occupied+r.graphBytes(), have), have)
	return err
}

// placeColumns lays out the vertex columns from an offset of the arena, and tells where they end.
func (r *run) placeColumns(from uint64) (end uint64) {
	p := placer{used: from}
	r.task.Layout = p.layout(r.columns, r.snap.Manifest().Vertices)
	return p.used
}

// directions are those in which the graph has chunks of its own.
func (r *run) directions() []chunk.Direction {
	if r.snap.Manifest().Directed {
		return []chunk.Direction{chunk.Out, chunk.In}
	}
	return []chunk.Direction{chunk.Out}
}

// graphBytes is what all chunks take in the arena, at most.
func (r *run) graphBytes() (bytes uint64) {
	for _, d := range r.directions() {
		for _, c := range r.snap.Chunks(d) {
			bytes += uint64(c.Bytes)
		}
	}
	return bytes
}

// columnRoom is how many columns of 8 bytes a vertex an arena has room for, at least, so
// that other algorithms may use it after the one that it is made for.
const columnRoom = 16

// createArena makes room for every chunk, as many slots as could ever be wanted, and vertex
// columns. Memory that is not used later is never touched, and costs nothing.
func (r *run) createArena(spec launch.Spec) error {
	var chunks placer
	var slots, largest uint64
	places := map[chunkName]arena.Range{}
	for _, d := range r.directions() {
		pieces, err := r.pieces(d)
		if err != nil {
			return err
		}
		for _, c := range pieces {
			places[c.name()] = chunks.place(uint64(c.size))
			slots += slotBytes(uint64(c.size))
			largest = max(largest, slotBytes(uint64(c.size)+r.partRoom())+wholePages(bitmapBytes(r.snap.Manifest().Vertices)))
		}
	}
	columns := slots + maxSlots*largest
	room := max(r.occupied, columnRoom*8*r.snap.Manifest().Vertices, arena.Align)
	memory, err := arena.Create(columns + room)
	if err != nil {
		return err
	}
	r.warm = &warm{key: r.warmKey(spec), arena: memory, places: places, columns: columns, filled: map[chunkName]place{}, files: r.snap.KeepFiles()}
	return nil
}

// clearColumns makes the vertex columns zero, as they are in a new arena.
func (r *run) clearColumns() error {
	if r.plugin == nil {
		return nil
	}
	bytes, err := r.arena.Bytes(arena.Range{Offset: r.warm.columns, Length: r.occupied})
	clear(bytes)
	return err
}

// start sees to it that a plugin runs and has described itself.
func (r *run) start(ctx context.Context, spec launch.Spec) error {
	var err error
	if r.plugin == nil {
		err = r.launch(ctx, spec)
	} else {
		r.plugin.Redirect(r.req.Log)
		r.spare = context.AfterFunc(r.ctx, r.plugin.Kill)
	}
	if err != nil {
		return err
	}
	if r.budget, err = budget(r.req.DeviceMemory, r.device); err != nil {
		return err
	}
	r.events.Launched(Launch{PID: r.plugin.PID(), Protocol: r.plugin.Protocol(), Device: r.device})
	return nil
}

// launch starts the plugin and asks it to describe itself.
func (r *run) launch(ctx context.Context, spec launch.Spec) error {
	var err error
	if r.plugin, err = launch.Start(ctx, spec, launch.Options{Log: r.req.Log, Timeout: max(r.req.Timeout, launch.DefaultTimeout)}); err != nil {
		return err
	}
	r.spare = context.AfterFunc(r.ctx, r.plugin.Kill)
	err = r.call(ctx, func(ctx context.Context) error {
		r.device, err = r.plugin.Device.Describe(ctx)
		return err
	})
	r.warm.plugin, r.warm.device = r.plugin, r.device
	r.maps.Store(r.device.MapsFiles)
	return err
}

// readEarly reads chunks while the plugin starts, where it is sure which will be wanted:
// of an undirected graph there is only one set. Should the device need so much beside them
// that they do not all fit, they are given up again.
func (r *run) readEarly(ctx context.Context) error {
	m := r.snap.Manifest()
	if r.estimating || m.Directed || r.req.Schedule == scheduleWhole {
		return nil
	}
	have, err := budget(r.req.DeviceMemory, plugins.Description{})
	if err != nil {
		return err
	}
	if r.chunks, err = r.pieces(chunk.Out); err != nil {
		return err
	}
	need := r.occupied
	for _, c := range r.chunks {
		need += c.device
	}
	if need > have {
		return nil
	}
	own := func(i int) arena.Range { return r.warm.places[r.chunks[i].name()] }
	for l := range r.read(r.allChunks(), own) {
		if l.err != nil || ctx.Err() != nil {
			return errors.Join(l.err, ctx.Err())
		}
	}
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

// compile opens a session with this budget (0: no bound) and has it plan the task.
func (r *run) compile(budget uint64) error {
	return r.call(r.ctx, func(ctx context.Context) (err error) {
		if r.session != nil {
			if err := r.session.Close(); err != nil {
				return err
			}
		}
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
