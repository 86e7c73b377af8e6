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

// startCutters starts the low engine's workers, one a processor. Where the machine has several NUMA nodes, a worker
// stays on its node's processors, and cuts that node's share of the chunks first, then what others have left. A worker
// fills tiles of its own, so that nothing is locked.
func (e *Engines) startCutters(ctx context.Context, all *sync.WaitGroup, low []int, ready chan<- *shipment.Shipment) {
	nodes := numa.Nodes()
	if len(nodes) < 2 {
		nodes = [][]int{nil} // wherever the system likes
	}
	undrawn := deal(low, len(e.Plan.Chunks), len(nodes))
	for i := range min(len(low), runtime.GOMAXPROCS(0)) {
		node := i % len(nodes)
		e.cutters++
		all.Go(func() {
			if nodes[node] != nil {
				numa.Stay(nodes[node])
			}
			c := cutter{Engines: e, ctx: ctx, ready: ready}
			for number, ok := undrawn.draw(node); ok && ctx.Err() == nil; number, ok = undrawn.draw(node) {
				c.cut(number)
			}
			c.flush()
			supply.Hand(ctx, ready, &shipment.Shipment{}) // says that it is done
		})
	}
}

// shares are the chunks that are still to be cut, by NUMA node. A chunk is in the share of the same node in each
// iteration. Unless the system has it in memory already, it lies where that node touches it first, be it a page of a
// file or a copy, so that no other placement is needed.
type shares struct {
	of    [][]int
	drawn []atomic.Int64
}

// deal divides those of a graph's chunks that are low among nodes, by their numbers.
func deal(low []int, chunks, nodes int) *shares {
	s := &shares{of: make([][]int, nodes), drawn: make([]atomic.Int64, nodes)}
	for _, number := range low {
		node := number * nodes / chunks
		s.of[node] = append(s.of[node], number)
	}
	return s
}

// draw takes a chunk out of a node's share or, where that is empty, of the next one that is not.
func (s *shares) draw(node int) (number int, ok bool) {
	for i := range s.of {
		n := (node + i) % len(s.of)
		if at := s.drawn[n].Add(1) - 1; at < int64(len(s.of[n])) {
			return s.of[n][at], true
		}
	}
	return 0, false
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
