package queue

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/numa"
	"github.com/penstock-db/penstock/internal/schedule"
)

// startCutters starts the low engine's workers: one a processor, and where the machine has
// several NUMA nodes, each node's draw from a share of the chunks, and stay on its processors, though
// neither chunks nor tiles are placed in the memory of that node. A worker fills tiles of its own, so that
// nothing is locked.
func (e *Engines) startCutters(ctx context.Context, all *sync.WaitGroup, low []int, ready chan<- *shipment.Shipment) {
	nodes := numa.Nodes()
	if len(nodes) < 2 {
		nodes = [][]int{nil} // wherever the system likes
	}
	for n, processors := range nodes {
		share := low[len(low)*n/len(nodes) : len(low)*(n+1)/len(nodes)]
		var drawn atomic.Int64
		for range min(len(share), (runtime.GOMAXPROCS(0)+len(nodes)-1)/len(nodes)) {
			e.cutters++
			all.Go(func() {
				if processors != nil {
					numa.Stay(processors)
				}
				c := cutter{Engines: e, ctx: ctx, ready: ready}
				for i := drawn.Add(1) - 1; i < int64(len(share)) && ctx.Err() == nil; i = drawn.Add(1) - 1 {
					c.cut(share[i])
				}
				c.flush()
				supply.Hand(ctx, ready, &shipment.Shipment{}) // says that it is done
			})
		}
	}
}

// cutter fills one tile after another with lists of active vertices.
type cutter struct {
	*Engines
	ctx   context.Context
	ready chan<- *shipment.Shipment
	tile  *shipment.Shipment // nil: empty
	room  uint64             // left in tile
}

// cut packs a chunk's lists.
func (c *cutter) cut(number int) {
	view, lasting, err := c.Supply.View(c.ctx, number)
	if err != nil {
		supply.Hand(c.ctx, c.ready, &shipment.Shipment{Err: err})
		return
	}
	started := time.Now()
	senders := shipment.TakeSenders(c.Active, c.Plan.Chunks[number].Info.Rows, nil)
	c.leaveLong(number, senders)
	part := senders.Select(view, chunk.Places{})
	c.Rec.Meter.Cut(0, time.Since(started))
	c.Rec.Meter.Chose(true)
	c.Rec.Trace.Stage("select", started, uint64(part.Bytes()))
	if err := c.pack(part, senders); err != nil {
		supply.Hand(c.ctx, c.ready, &shipment.Shipment{Err: fmt.Errorf("chunk %d: %w", number, err)})
	}
	if !lasting {
		c.flush()
	}
}

// leaveLong takes those out of senders whose lists do not fit a tile. They have become
// active since the iteration began; in the next, their chunk is sent whole.
func (c *cutter) leaveLong(number int, senders shipment.Senders) {
	_, degrees := c.Lists(number)
	for i, word := range senders.Words {
		first := (senders.Base/64 + uint64(i)) * 64
		for ; word != 0; word &= word - 1 {
			if bit := uint64(bits.TrailingZeros64(word)); uint64(degrees[first+bit]) > c.longest() {
				senders.Words[i] &^= 1 << bit
			}
		}
	}
}

// tooLong tells whether a list that a chunk is to send does not fit a tile.
func (e *Engines) tooLong(number int) bool {
	rows, degrees := e.Lists(number)
	return uint64(schedule.Bitmap(e.Active).Longest(rows, degrees)) > e.longest()
}

// longest is how many edges a list may have to fit a tile, whatever its columns are.
func (e *Engines) longest() uint64 { return e.sizes.Longest(e.Plan.Fit.Tile) }

// pack puts lists into the tile, and into new ones as each is full. All lists of a vertex
// must be there when it sends, so none is divided.
func (c *cutter) pack(part cut.Selection, senders shipment.Senders) error {
	for part.Edges() > 0 {
		if c.tile != nil && !part.Follows(c.tile.Parts[len(c.tile.Parts)-1]) {
			c.flush()
		}
		if c.tile == nil {
			c.tile, c.room = &shipment.Shipment{}, c.Plan.Fit.Tile-c.sizes.PartRoom()
		}
		fit, rest := part.Split(int(c.room), c.sizes.ConvertedEdge)
		switch {
		case rest.Edges() == 0:
			c.put(fit, senders)
		case fit.Edges() > 0:
			c.put(fit, senders.Before(rest.First()))
			senders = senders.From(rest.First())
			c.flush()
		case len(c.tile.Parts) > 0:
			c.flush()
		default:
			return fmt.Errorf("the list of vertex %d is longer than its degree", rest.First())
		}
		part = rest
	}
	return nil
}

func (c *cutter) put(part cut.Selection, senders shipment.Senders) {
	c.tile.Parts = append(c.tile.Parts, part)
	c.tile.Senders = append(c.tile.Senders, senders)
	c.room -= c.sizes.Cost(part)
}

// flush sends the tile.
func (c *cutter) flush() {
	s := c.tile
	if c.tile = nil; s == nil {
		return
	}
	select {
	case s.Slot = <-c.tiles:
		c.Rec.Meter.Queued(report.QueueReport{Tiles: 1, Unused: c.room})
		s.Err = c.PutTogether(s, s.Slot.At, 1)
		supply.Hand(c.ctx, c.ready, s)
	case <-c.ctx.Done():
	}
}
