package split

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/partition"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// parcel is what the devices are given of a chunk: a part each, or the first all of it, as it is stored.
type parcel struct {
	chunk      int
	rest, core supply.Place // of length 0: nothing
	cut        bool         // rest is not all of it
	err        error
}

// below is where the core's chunks are put, one below the other.
type below struct {
	sync.Mutex // two goroutines cut
	plan.Downward
}

func (b *below) place(bytes int) arena.Range {
	b.Lock()
	defer b.Unlock()
	at := b.Place(plan.Aligned(uint64(bytes)))
	at.Length = uint64(bytes)
	return at
}

// upload gives each device its part of the chunks, while the next are being cut.
func (e *Executor) upload(ctx context.Context) error {
	tasks := func(context.Context) iter.Seq[int] { return slices.Values(e.Plan.Numbers()) }
	columns := e.Supply.Cache.Layout.Columns
	under := &below{Downward: plan.Downward{At: columns}}
	var done uint64
	for p := range supply.InOrder(ctx, tasks, func(ctx context.Context, i int) parcel { return e.pack(ctx, i, under) }) {
		if p.err != nil {
			return p.err
		}
		if p.cut {
			e.cut = append(e.cut, p.chunk)
		}
		if p.core.Length > 0 {
			e.has[e.Dense] = append(e.has[e.Dense], p.chunk)
			e.offer(ctx, plugins.Command{Op: plugins.Upload, Chunk: uint32(p.chunk), At: p.core.Range})
		}
		if p.rest.Length > 0 {
			e.has[e.Rest] = append(e.has[e.Rest], p.chunk)
			err := e.give(ctx, p.chunk, p.rest, func(plugins.Event) {
				done += plan.Aligned(e.Plan.Chunks[p.chunk].Device)
				e.Events.Uploaded(done, e.Plan.Fit.All)
			})
			if err != nil {
				return err
			}
		}
	}
	e.Progress.Arena += columns - under.At
	return ctx.Err()
}

// give uploads a chunk, or a part of it, to the first device.
func (e *Executor) give(ctx context.Context, i int, at supply.Place, done func(plugins.Event)) error {
	e.Rest.Spent.Sent(at.Length, e.Rec.Transfer(ctx, at.Length))
	return e.Rest.Stream.Send(plugins.Command{Op: plugins.Upload, Chunk: uint32(i), At: at.Range, File: at.File},
		link.Call{Done: done})
}

// offer tells the second device to do something. If it is gone, that is noticed when its work is due.
func (e *Executor) offer(ctx context.Context, command plugins.Command) {
	if e.Dense.Stream.Send(command, link.Call{}) == nil {
		e.Dense.Spent.Sent(command.At.Length, e.Rec.Transfer(ctx, command.At.Length))
	}
}

// pack cuts a chunk, if the core has edges in it.
func (e *Executor) pack(ctx context.Context, i int, under *below) (p parcel) {
	p.chunk = i
	c := e.Plan.Chunks[i]
	if set := schedule.Bitmap(e.Set); set.Any(c.Info.Rows) && set.Any(c.Info.Cols) {
		p.err = e.cutInTwo(ctx, &p, under)
	}
	if p.err == nil && p.rest.Length == 0 && e.wants(e.Rest, c) {
		l := e.Supply.Load(ctx, i, c.At)
		p.rest, p.err = l.At, l.Err
	}
	return p
}

// cutInTwo makes the two parts of a chunk, or neither where the core has no edge of it.
func (e *Executor) cutInTwo(ctx context.Context, p *parcel, under *below) error {
	view, _, err := e.Supply.View(ctx, p.chunk)
	if err != nil {
		return err
	}
	started := time.Now()
	inside, err := core.Cut(view, e.Set, core.Core)
	if err != nil {
		return err
	}
	defer inside.Release()
	if inside.Edges() == 0 {
		return nil
	}
	if e.wants(e.Dense, e.Plan.Chunks[p.chunk]) {
		if p.core.Range, err = e.encode(inside, under.place(inside.EncodedSize())); err != nil {
			return err
		}
	}
	if e.wants(e.Rest, e.Plan.Chunks[p.chunk]) {
		err = e.cutRest(view, p)
	}
	e.Rec.Meter.Cut(int(p.core.Length+p.rest.Length), time.Since(started))
	e.Rec.Trace.Stage("cut", started, p.core.Length+p.rest.Length)
	return err
}

// cutRest puts the rest of a chunk where the chunk itself would be.
func (e *Executor) cutRest(view *chunk.Chunk, p *parcel) error {
	outside, err := core.Cut(view, e.Set, core.Rest)
	if err != nil {
		return err
	}
	defer outside.Release()
	p.cut = true
	p.rest.Range, err = e.encode(outside, e.Plan.Chunks[p.chunk].At)
	return err
}

// encode writes a chunk to a range of the arena, which shrinks to what it takes.
func (e *Executor) encode(c *chunk.Chunk, at arena.Range) (arena.Range, error) {
	e.Arena().Populate(at)
	dst, err := e.Arena().Bytes(at)
	if err != nil {
		return at, err
	}
	n, err := c.EncodeTo(dst)
	at.Length = uint64(n)
	return at, err
}

func (e *Executor) wants(d *device.Device, c plan.Chunk) bool {
	return partition.Wants(e.Plan.Graph.Manifest(), d, c)
}
