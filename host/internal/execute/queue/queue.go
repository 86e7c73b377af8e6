// Package queue is the pass of a streamed run by Scaph (Zheng et al., "Scaph: Scalable GPU-Accelerated Graph Processing
// with Value-Driven Differential Scheduling", ATC'20, section 4). Two engines feed the device at the same time: the
// high engine sends chunks whole, and keeps them as long as they are of value; the low one sends lists of active
// vertices, packed into tiles.
//
// Both handle units (shipment.Unit): a chunk, or what of it fits a slot, perhaps of both directions. All edges of their
// vertices are in them, for a vertex that has sent is active no more.
//
//	high ──fetch, two at once──▶ slots ─┐            ┌─▶ queue ──┐
//	                                    ├─▶ link ────┤           ├─▶ Settle, a turn at a time
//	low ──cut, one a processor─▶ tiles ─┘            └─▶ waiting ┘
//
// The device goes through what is there while the next is on its way: delayed scheduling.
package queue

import (
	"context"
	"sync"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/numa"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Engines are both, from one iteration to the next.
type Engines struct {
	*shipment.Loader
	queue schedule.Queue
	fresh map[int]bool               // the units in queue that have had no turn
	held  map[int]*shipment.Shipment // the units in queue, and where they are
	tiles chan *plan.Slot            // free ones
	sizes plan.Sizes
	nodes *nodes

	// of an iteration
	high    []int                   // chunks still to be sent, in order
	coming  int                     // TransSet: how many chunks are on their way
	cutters int                     // still at work
	fetches chan *shipment.Shipment // chunks to be read
	arrived chan *shipment.Shipment // what the link has carried
	waiting []*shipment.Shipment    // tiles that are on the device and have had no turn
	turned  chan plugins.Iteration
	busy    bool // a turn is under way
	last    plugins.Iteration
}

// transSet is how many chunks may be on their way at once: one that the link carries, and
// those that are read meanwhile.
const transSet = 1 + supply.Readers

// New makes engines, whose tiles are all free.
func New(l *shipment.Loader) *Engines {
	f := l.Plan.Fit
	e := &Engines{Loader: l, sizes: l.Plan.Sizes(), held: map[int]*shipment.Shipment{}, fresh: map[int]bool{},
		tiles:  make(chan *plan.Slot, len(f.Tiles)),
		turned: make(chan plugins.Iteration, 1), nodes: newNodes(numa.This(), len(l.Plan.Chunks))}
	for i := range f.Tiles {
		e.tiles <- &f.Tiles[i]
	}
	return e
}

// Pass is an iteration: everything of value is gone through once at least.
func (e *Engines) Pass(ctx context.Context, loads []schedule.Load) (plugins.Iteration, error) {
	e.Rec.Trace.Iteration(e.Progress.Final.Number + 1)
	e.last = e.Progress.Final
	run := ctx
	ctx, cancel := context.WithCancel(run)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	e.startLink(ctx, &all, e.divide(loads))
	for {
		if err := e.direct(); err != nil || e.over() {
			e.last.Number = e.Progress.Final.Number + 1
			return e.last, err
		}
		if err := e.await(run); err != nil {
			return e.last, err
		}
	}
}

// divide gives loads to the engines: high keeps its own, and what low is to send is returned.
// What is there already needs no sending.
func (e *Engines) divide(loads []schedule.Load) (low []int) {
	for _, l := range loads {
		if l.Part {
			e.Rec.Meter.Queued(report.QueueReport{Low: 1})
		} else {
			e.Rec.Meter.Queued(report.QueueReport{High: 1})
		}
		switch {
		case e.held[l.Chunk] != nil:
			e.Rec.Meter.Queued(report.QueueReport{Hits: 1})
		case !l.Part || e.tooLong(l.Chunk):
			e.high = append(e.high, l.Chunk)
		default:
			low = append(low, l.Chunk)
		}
		e.queue.Levels = max(e.queue.Levels, l.Rounds)
	}
	e.queue.Restart()
	return low
}

// startLink has chunks fetched and lists cut, all of which one link carries to the device.
func (e *Engines) startLink(ctx context.Context, all *sync.WaitGroup, low []int) {
	ready := make(chan *shipment.Shipment)
	e.fetches, e.arrived = make(chan *shipment.Shipment, transSet), make(chan *shipment.Shipment)
	for range min(supply.Readers, len(e.high)) {
		all.Go(func() { e.fetch(ctx, ready) })
	}
	e.startCutters(ctx, all, low, ready)
	all.Go(func() {
		for s := range supply.Receive(ctx, ready) {
			for _, upload := range s.Uploads {
				e.Rec.Carry(ctx, upload.At.Length)
			}
			supply.Hand(ctx, e.arrived, s)
		}
	})
}

// fetch reads units into their slots.
func (e *Engines) fetch(ctx context.Context, ready chan<- *shipment.Shipment) {
	for s := range supply.Receive(ctx, e.fetches) {
		s.Err = e.read(ctx, s)
		supply.Hand(ctx, ready, s)
	}
}

// direct finds work for the device and for the link, if the device has nothing to do: then
// the active set stands still.
func (e *Engines) direct() error {
	if e.busy {
		return nil
	}
	if err := e.relieve(); err != nil {
		return err
	}
	return e.turn()
}

// over tells whether nothing is left to be done.
func (e *Engines) over() bool {
	return !e.busy && len(e.waiting) == 0 && len(e.high)+e.coming+e.cutters == 0
}

// await takes notice of what happens next.
func (e *Engines) await(ctx context.Context) error {
	var free <-chan *plan.Slot
	if len(e.high) > 0 && e.coming < transSet {
		free = e.Free
	}
	select {
	case s := <-e.arrived:
		return e.take(s)
	case e.last = <-e.turned:
		e.busy = false
	case s := <-free:
		e.Rec.Meter.Chose(false)
		e.fetches <- &shipment.Shipment{Slot: s, Whole: e.high[:1]}
		e.high, e.coming = e.high[1:], e.coming+1
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// relieve evicts chunks for those that wait for a slot, as far as there are any that may go:
// those of no value, and those that have been gone through k times, or, if the link would have
// nothing to do meanwhile, once.
func (e *Engines) relieve() error {
	spare := len(e.Plan.Fit.Slots) - len(e.held) - e.coming // free, or about to be
	for ; spare < min(len(e.high), transSet-e.coming); spare++ {
		within := e.queue.Levels
		if e.coming+spare == 0 {
			within = 1
		}
		chunk, ok := e.queue.Evict(e.value, within)
		if !ok {
			return nil
		}
		leaving := e.held[chunk]
		delete(e.held, chunk)
		delete(e.fresh, chunk)
		if err := e.evict(leaving, func() { e.Free <- leaving.Slot }); err != nil {
			return err
		}
	}
	return nil
}

// evict has the device forget what was shipped.
func (e *Engines) evict(s *shipment.Shipment, done func()) error {
	for i, upload := range s.Uploads {
		var leaves link.Call
		if i == len(s.Uploads)-1 {
			leaves.Done = func(plugins.Event) { done() }
		}
		if err := e.Device.Send(plugins.Command{Op: plugins.Evict, Chunk: upload.Chunk}, leaves); err != nil {
			return err
		}
	}
	return nil
}

// take has the device take what has arrived.
func (e *Engines) take(s *shipment.Shipment) error {
	switch {
	case s.Err != nil:
		return s.Err
	case s.Slot == nil:
		e.cutters--
		return nil
	case len(s.Whole) > 0:
		e.coming--
		e.held[s.Whole[0]], e.fresh[s.Whole[0]] = s, true
		e.queue.Add(s.Whole[0])
	default:
		e.waiting = append(e.waiting, s)
	}
	for _, upload := range s.Uploads {
		if err := e.Device.Send(upload, link.Call{}); err != nil {
			return err
		}
	}
	return nil
}

// turn has the device go through the tiles that wait and the next chunks of the queue, so
// many that there are more edges to look at than vertices, to all of which a turn gives a
// look as well. A chunk has more than its first turn only while something is on its way.
func (e *Engines) turn() error {
	within := 1
	if len(e.high)+e.coming+e.cutters > 0 {
		within = e.queue.Levels
	}
	chunks := e.queue.Next(e.value, within, max(1, e.Plan.Graph.Manifest().Vertices))
	if len(chunks)+len(e.waiting) == 0 {
		return nil
	}
	var senders []shipment.Senders
	done := report.QueueReport{Rounds: 1, Turns: len(chunks)}
	for _, chunk := range chunks {
		value := e.value(chunk)
		if done.Processed += value; e.fresh[chunk] {
			done.Useful += value
			delete(e.fresh, chunk)
		}
		senders = append(senders, shipment.Senders{Interval: e.Units[chunk].Rows})
	}
	for _, tile := range e.waiting {
		senders = append(senders, tile.Senders...)
	}
	if err := e.WriteSenders(e.Plan.Fit.Set, senders); err != nil {
		return err
	}
	e.busy = true
	e.Rec.Meter.Queued(done)
	settle := plugins.Command{Op: plugins.Settle, At: e.Plan.Fit.Set, Rounds: 1}
	if err := e.Device.Send(settle, link.Call{Done: func(now plugins.Event) { e.turned <- *now.Iteration }}); err != nil {
		return err
	}
	return e.clearTiles()
}

// clearTiles evicts the tiles that have had their turn.
func (e *Engines) clearTiles() error {
	for _, tile := range e.waiting {
		if err := e.evict(tile, func() { e.tiles <- tile.Slot }); err != nil {
			return err
		}
	}
	e.waiting = nil
	return nil
}

// value is how many edges of a unit active vertices have now.
func (e *Engines) value(number int) uint64 {
	rows, degrees := e.Lists(number)
	return schedule.Bitmap(e.Active).Demand(rows, degrees, chunk.Places{})
}
