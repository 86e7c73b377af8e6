package host

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// open has the devices start, unless one is warm, while the arena is filled, and agrees with
// them on a plan that fits the budget.
func (r *run) open() error {
	if err := r.chooseDevice(); err != nil {
		return err
	}
	if err := r.findDevices(); err != nil {
		return err
	}
	if err := r.occupy(r.devices[0]); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(r.ctx)
	g.Go(func() error { return r.start(ctx) })
	g.Go(func() error { return r.fillInputs(ctx) })
	g.Go(func() error { return r.divide(ctx) })
	g.Go(func() error { return r.tellLinked(ctx) })
	g.Go(func() error { return r.readEarly(ctx) })
	if err := g.Wait(); err != nil {
		return err
	}
	if r.split != nil {
		return r.split.agree()
	}
	return r.agree()
}

// occupy finds a warm device or makes the arena for one, and lays out the vertex columns.
func (r *run) occupy(d *device) error {
	r.occupied = r.placeColumns(0)
	if err := r.takeWarm(d.spec); err != nil {
		return err
	}
	if err := r.chooseLanes(d); err != nil {
		return err
	}
	if err := r.hold(); err != nil {
		return err
	}
	if r.warm == nil {
		if err := r.createArena(d.spec); err != nil {
			return err
		}
	}
	r.arena = r.warm.arena
	// The built-in device is of this program, and known before it says so.
	maps := arena.CanMapFiles && !slices.ContainsFunc(r.devices, func(d *device) bool { return !d.spec.BuiltIn() })
	if r.warm.plugin != nil {
		r.tookWarm = true
		d.plugin, d.about, d.name = r.warm.plugin, r.warm.device, r.warm.device.Name
	}
	if d.plugin != nil {
		maps = d.about.MapsFiles
	}
	r.maps.Store(maps)
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
	if r.lasting = spec.Lasting() && len(r.devices) == 1; r.lasting {
		r.warm = r.engine.take(r.warmKey(spec))
	}
	r.dropTooSmall()
	have, err := r.budgetOn(plugins.Description{})
	r.engine.makeRoom(min(r.occupied+r.graphBytes(), have), have)
	return err
}

// dropTooSmall ends a warm device whose arena has no room for the vertex columns.
func (r *run) dropTooSmall() {
	if r.warm != nil && r.warm.columns+r.occupied > r.warm.arena.Size() {
		r.warm.close()
		r.warm = nil
	}
}

// placeColumns lays out the vertex columns of each device from an offset of the arena, and tells
// where they end.
func (r *run) placeColumns(from uint64) (end uint64) {
	if r.split != nil {
		return r.split.placeColumns(from)
	}
	p := placer{used: from}
	for _, d := range r.devices {
		d.layout = p.layout(r.laneColumns(), r.snap.Manifest().Vertices)
	}
	r.task.Layout = r.devices[0].layout
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

// createArena makes room for every chunk, beside them for as many slots as could ever be wanted, and vertex
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
			if r.split != nil {
				slots += r.cutRoom(c)
			}
			largest = max(largest, slotBytes(uint64(c.size)+r.partRoom())+wholePages(bitmapBytes(r.snap.Manifest().Vertices)))
		}
	}
	columns := wholePages(chunks.used + slots + maxSlots*largest) // below it are the slots, which begin with a page
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
	if r.warm.plugin == nil {
		return nil
	}
	bytes, err := r.arena.Bytes(arena.Range{Offset: r.warm.columns, Length: r.occupied})
	clear(bytes)
	return err
}

// readEarly reads chunks while the plugin starts, where it is sure which will be wanted:
// of an undirected graph there is only one set. Should the device need so much beside them
// that they do not all fit, they are given up again.
func (r *run) readEarly(ctx context.Context) error {
	m := r.snap.Manifest()
	if r.estimating || m.Directed || r.req.Schedule == scheduleWhole || r.split != nil {
		return nil
	}
	have, err := r.budgetOn(plugins.Description{})
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

// compile opens sessions with this budget (0: no bound) and has them plan the task.
func (r *run) compile(budget uint64) error {
	for _, d := range r.devices {
		err := r.call(r.ctx, d, func(ctx context.Context) error { return r.compileOn(ctx, d, budget) })
		if err != nil {
			return err
		}
	}
	return r.joinPlans()
}

func (r *run) compileOn(ctx context.Context, d *device, budget uint64) (err error) {
	if d.session != nil {
		if err := d.session.Close(); err != nil {
			return err
		}
	}
	job := r.job(budget)
	job.Graph.Linked = d.linked
	if d.session, err = d.plugin.Device.Open(ctx, job); err != nil {
		return err
	}
	task := r.task
	task.Layout, task.Share = d.layout, d.share
	task.Restorable, task.Part = task.Restorable || d.several, r.split != nil
	d.plan, err = d.session.Compile(ctx, task)
	return err
}

func (r *run) job(budget uint64) plugins.Job {
	m := r.snap.Manifest()
	return plugins.Job{
		Arena: r.arena, Budget: budget, Threads: r.req.Threads,
		Graph: plugins.Graph{Name: m.Graph, Snapshot: m.ID, Vertices: m.Vertices, Edges: m.Edges, Directed: m.Directed},
	}
}

// call makes small calls to a plugin, which must answer within the timeout. The plugin
// is not told of a deadline: it might keep to it, and fail a moment before it.
func (r *run) call(ctx context.Context, d *device, do func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tooLate := hung(d.name, r.req.Timeout)
	late := time.AfterFunc(r.req.Timeout, func() { cancel(tooLate) })
	defer late.Stop()
	err := do(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return r.diagnose(d, err)
	}
	return nil
}
