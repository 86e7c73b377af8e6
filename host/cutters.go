package host

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/numa"
	"github.com/penstock-db/penstock/internal/schedule"
)

// startCutters starts the low engine's workers: one a processor, and where the machine has
// several NUMA nodes, each node's draw from a share of the chunks. A worker fills tiles of its
// own, so that nothing is locked.
func (e *engines) startCutters(ctx context.Context, all *sync.WaitGroup, low []int, ready chan<- *shipment) {
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
				c := cutter{engines: e, ctx: ctx, ready: ready}
				for i := drawn.Add(1) - 1; i < int64(len(share)) && ctx.Err() == nil; i = drawn.Add(1) - 1 {
					c.cut(share[i])
				}
				c.flush()
				hand(ctx, ready, &shipment{}) // says that it is done
			})
		}
	}
}

// cutter fills one tile after another with lists of active vertices.
type cutter struct {
	*engines
	ctx   context.Context
	ready chan<- *shipment
	tile  *shipment // nil: empty
	room  uint64    // left in tile
}

// cut packs a chunk's lists.
func (c *cutter) cut(number int) {
	view, lasting, err := c.view(c.ctx, number)
	if err != nil {
		hand(c.ctx, c.ready, &shipment{err: err})
		return
	}
	started := time.Now()
	senders := takeSenders(c.active, c.chunks[number].info.Rows)
	c.leaveLong(number, senders)
	part := view.Select(senders.words, senders.Base/64*64, chunk.Places{})
	c.meter.cut(0, time.Since(started))
	c.meter.chose(true)
	c.spanBytes("select", started, uint64(part.Bytes()))
	if err := c.pack(part, senders); err != nil {
		hand(c.ctx, c.ready, &shipment{err: fmt.Errorf("chunk %d: %w", number, err)})
	}
	if !lasting {
		c.flush()
	}
}

// leaveLong takes those out of senders whose lists do not fit a tile. They have become
// active since the iteration began; in the next, their chunk is sent whole.
func (c *cutter) leaveLong(number int, senders senderSet) {
	_, degrees := c.lists(number)
	for i, word := range senders.words {
		first := (senders.Base/64 + uint64(i)) * 64
		for ; word != 0; word &= word - 1 {
			if bit := uint64(bits.TrailingZeros64(word)); uint64(degrees[first+bit]) > c.longest() {
				senders.words[i] &^= 1 << bit
			}
		}
	}
}

// tooLong tells whether a list that a chunk is to send does not fit a tile.
func (e *engines) tooLong(number int) bool {
	rows, degrees := e.lists(number)
	return uint64(schedule.Bitmap(e.active).Longest(rows, degrees)) > e.longest()
}

// longest is how many edges a list may have to fit a tile, whatever its columns are.
func (r *run) longest() uint64 {
	const list, edge, column = 8, 4, 8 // bytes
	return (r.fit.tile - r.partRoom() - list) / uint64(edge+column*len(r.edgeNames)+r.convertedEdge())
}

// pack puts lists into the tile, and into new ones as each is full. All lists of a vertex
// must be there when it sends, so none is divided.
func (c *cutter) pack(part chunk.Selection, senders senderSet) error {
	for part.Edges() > 0 {
		if c.tile != nil && !part.Follows(c.tile.parts[len(c.tile.parts)-1]) {
			c.flush()
		}
		if c.tile == nil {
			c.tile, c.room = &shipment{}, c.fit.tile-c.partRoom()
		}
		fit, rest := part.Split(int(c.room), c.convertedEdge())
		switch {
		case rest.Edges() == 0:
			c.put(fit, senders)
		case fit.Edges() > 0:
			c.put(fit, senders.before(rest.First()))
			senders = senders.from(rest.First())
			c.flush()
		case len(c.tile.parts) > 0:
			c.flush()
		default:
			return fmt.Errorf("the list of vertex %d is longer than its degree", rest.First())
		}
		part = rest
	}
	return nil
}

func (c *cutter) put(part chunk.Selection, senders senderSet) {
	c.tile.parts = append(c.tile.parts, part)
	c.tile.senders = append(c.tile.senders, senders)
	c.room -= c.cost(part)
}

// flush sends the tile.
func (c *cutter) flush() {
	s := c.tile
	if c.tile = nil; s == nil {
		return
	}
	select {
	case s.slot = <-c.tiles:
		s.err = c.putTogether(s, s.slot.at, 1)
		hand(c.ctx, c.ready, s)
	case <-c.ctx.Done():
	}
}
