package queue

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/schedule"
)

// startCutters starts the low engine's workers, one a processor. Where the machine has several NUMA nodes, a worker
// stays on its node's processors, and cuts that node's share of the chunks first, then what others have left. A worker
// fills tiles of its own, so that nothing is locked.
func (e *Engines) startCutters(ctx context.Context, all *sync.WaitGroup, low []int, ready chan<- *shipment.Shipment) {
	undrawn := deal(low, len(e.Units), e.nodes.count())
	for i := range min(len(low), runtime.GOMAXPROCS(0)) {
		node := i % e.nodes.count()
		e.cutters++
		all.Go(func() {
			e.nodes.stay(node)
			c := cutter{Engines: e, ctx: ctx, ready: ready}
			for number, ok := undrawn.draw(node); ok && ctx.Err() == nil; number, ok = undrawn.draw(node) {
				c.cut(number)
			}
			c.flush()
			supply.Hand(ctx, ready, &shipment.Shipment{}) // says that it is done
		})
	}
}

// cutter fills one tile after another with lists of active vertices, of all directions.
type cutter struct {
	*Engines
	ctx   context.Context
	ready chan<- *shipment.Shipment
	tile  *tile  // nil: empty
	room  uint64 // left in tile
	seen  []seen // by direction, the chunk that was looked at last
}

// seen is a chunk that was looked at. One that does not stay is read again by whoever looks next: several units may be
// parts of it, and come one after another.
type seen struct {
	number  int
	view    *chunk.Chunk
	lasting bool
}

// tile is what is put together: by direction the lists, each of a chunk, and whose they are.
type tile struct {
	lists   [][]cut.Selection
	senders []shipment.Senders
}

// cut packs the lists of a unit's active vertices.
func (c *cutter) cut(number int) {
	u := c.Units[number]
	senders := shipment.TakeSenders(c.Active, u.Rows, nil)
	c.leaveLong(number, senders)
	var lists []cut.Selection
	for direction, chunk := range u.Chunks {
		view, err := c.look(direction, chunk, number)
		if err != nil {
			supply.Hand(c.ctx, c.ready, &shipment.Shipment{Err: err})
			return
		}
		lists = append(lists, c.find(view, senders))
	}
	c.Rec.Meter.Chose(true)
	c.pack(number, lists, senders)
}

// look is at a chunk of a unit. The tile goes before one that does not stay makes room for the next: it has its lists.
func (c *cutter) look(direction, number, unit int) (*chunk.Chunk, error) {
	if c.seen == nil {
		c.seen = make([]seen, len(c.Plan.Kernel.Directions))
	}
	last := &c.seen[direction]
	if last.view != nil && last.number == number {
		return last.view, nil
	}
	if last.view != nil && !last.lasting {
		c.flush()
	}
	*last = seen{number: number}
	var err error
	if last.view, last.lasting, err = c.Supply.View(c.ctx, number); err == nil && c.Supply.InFile(number) {
		c.Rec.Meter.Queued(c.nodes.place(number, last.view, nodeOf(unit, len(c.Units), c.nodes.count())))
	}
	return last.view, err
}

// find takes the senders' lists out of a chunk.
func (c *cutter) find(view *chunk.Chunk, senders shipment.Senders) cut.Selection {
	started := time.Now()
	lists := senders.Select(view, chunk.Places{})
	c.Rec.Meter.Cut(0, time.Since(started))
	c.Rec.Trace.Stage("select", started, uint64(lists.Bytes()))
	return lists
}

// leaveLong takes those out of senders whose lists do not fit a tile. They have become
// active since the iteration began; in the next, their unit is sent whole.
func (c *cutter) leaveLong(number int, senders shipment.Senders) {
	_, degrees := c.Lists(number)
	for v := range senders.Members() {
		if uint64(degrees[v]) > c.longest() {
			senders.Words[v/64-senders.Base/64] &^= 1 << (v % 64)
		}
	}
}

// tooLong tells whether a list that a unit is to send does not fit a tile.
func (e *Engines) tooLong(number int) bool {
	rows, degrees := e.Lists(number)
	return uint64(schedule.Bitmap(e.Active).Longest(rows, degrees)) > e.longest()
}

// longest is how many edges a vertex may have to fit a tile, whatever its columns are.
func (e *Engines) longest() uint64 {
	return e.sizes.Longest(e.Plan.Fit.TileRoom(), len(e.Plan.Kernel.Directions))
}

// pack puts lists into the tile, and into new ones as each is full. All lists of a vertex must be there when it
// sends, so it is in one tile with all of them.
func (c *cutter) pack(number int, lists []cut.Selection, senders shipment.Senders) {
	_, degrees := c.Lists(number)
	if c.tile != nil && !c.tile.joins(lists) {
		c.flush()
	}
	for senders.Count > 0 {
		if c.tile == nil {
			c.tile, c.room = &tile{lists: make([][]cut.Selection, len(lists))}, c.Plan.Fit.TileRoom()
		}
		end, cost := c.fitting(senders, degrees)
		for d := range lists {
			var fit cut.Selection
			if fit, lists[d] = lists[d].At(end); fit.Edges() > 0 {
				c.tile.lists[d] = append(c.tile.lists[d], fit)
			}
		}
		c.tile.senders = append(c.tile.senders, senders.Before(end))
		c.room -= cost
		if senders = senders.From(end); senders.Count > 0 {
			c.flush()
		}
	}
}

// fitting is the first of senders whose lists have no room in the tile beside those before, or where these end; and
// what those before take.
func (c *cutter) fitting(senders shipment.Senders, degrees []uint32) (end, cost uint64) {
	for v := range senders.Members() {
		if degrees[v] == 0 {
			continue
		}
		more := c.sizes.ListsCost(len(c.Plan.Kernel.Directions), int(degrees[v]))
		if cost+more > c.room {
			return v, cost
		}
		cost += more
	}
	return senders.End(), cost
}

// joins tells whether lists can be put together with those of a tile.
func (t *tile) joins(lists []cut.Selection) bool {
	for d, some := range t.lists {
		if len(some) > 0 && lists[d].Edges() > 0 && !lists[d].Follows(some[len(some)-1]) {
			return false
		}
	}
	return true
}

// flush sends the tile.
func (c *cutter) flush() {
	t := c.tile
	if c.tile = nil; t == nil || t.empty() {
		return
	}
	s := &shipment.Shipment{Senders: t.senders}
	select {
	case s.Slot = <-c.tiles:
		c.Rec.Meter.Queued(report.QueueReport{Tiles: 1, Room: c.Plan.Fit.TileRoom(), Unused: c.room})
		rest := s.Slot.At
		for d := 0; d < len(t.lists) && s.Err == nil; d++ {
			rest, s.Err = c.put(s, c.tileNumber(s.Slot, d), t.lists[d], rest)
		}
		supply.Hand(c.ctx, c.ready, s)
	case <-c.ctx.Done():
	}
}

// empty tells whether there are no lists in a tile.
func (t *tile) empty() bool {
	return !slices.ContainsFunc(t.lists, func(some []cut.Selection) bool { return len(some) > 0 })
}
