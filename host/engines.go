package host

import (
	"context"
	"sync"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// engines are Scaph's two, which feed the device at the same time (Zheng et al., ATC'20,
// section 4). The high engine sends chunks whole, and keeps them as long as they are of
// value; the low one sends lists of active vertices, packed into tiles.
//
//	high ──fetch, two at once──▶ slots ─┐            ┌─▶ queue ──┐
//	                                    ├─▶ link ────┤           ├─▶ Settle, a turn at a time
//	low ──cut, one a processor─▶ tiles ─┘            └─▶ waiting ┘
//
// The device goes through what is there while the next is on its way: delayed scheduling.
type engines struct {
	*run
	queue schedule.Queue
	held  map[int]*slot // the chunks in queue, and where they are
	tiles chan *slot    // free ones
	set   arena.Range   // senders of the turn

	// of an iteration
	high    []int          // chunks still to be sent, in order
	coming  int            // TransSet: how many chunks are on their way
	cutters int            // still at work
	fetches chan *shipment // chunks to be read
	arrived chan *shipment // what the link has carried
	waiting []*shipment    // tiles that are on the device and have had no turn
	turned  chan plugins.Iteration
	busy    bool // a turn is under way
	last    plugins.Iteration
}

// transSet is how many chunks may be on their way at once: one that the link carries, and
// those that are read meanwhile.
const transSet = 1 + readers

func (r *run) newEngines() *engines {
	e := &engines{run: r, set: r.fit.set, held: map[int]*slot{}, tiles: make(chan *slot, len(r.fit.tiles)), turned: make(chan plugins.Iteration, 1)}
	for i := range r.fit.tiles {
		e.tiles <- &r.fit.tiles[i]
	}
	return e
}

// pass is an iteration: everything of value is gone through once at least.
func (e *engines) pass(loads []schedule.Load) (plugins.Iteration, error) {
	e.begin(e.final.Number + 1)
	e.last = e.final
	ctx, cancel := context.WithCancel(e.ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	e.startLink(ctx, &all, e.divide(loads))
	for {
		if err := e.direct(); err != nil || e.over() {
			e.last.Number = e.final.Number + 1
			return e.last, err
		}
		if err := e.await(); err != nil {
			return e.last, err
		}
	}
}

// divide gives loads to the engines: high keeps its own, and what low is to send is returned.
// What is there already needs no sending.
func (e *engines) divide(loads []schedule.Load) (low []int) {
	for _, l := range loads {
		switch {
		case e.held[l.Chunk] != nil:
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
func (e *engines) startLink(ctx context.Context, all *sync.WaitGroup, low []int) {
	ready := make(chan *shipment)
	e.fetches, e.arrived = make(chan *shipment, transSet), make(chan *shipment)
	for range min(readers, len(e.high)) {
		all.Go(func() { e.fetch(ctx, ready) })
	}
	e.startCutters(ctx, all, low, ready)
	all.Go(func() {
		for s := range receive(ctx, ready) {
			for _, upload := range s.uploads {
				e.transfer(upload.At.Length)
			}
			hand(ctx, e.arrived, s)
		}
	})
}

// fetch reads chunks into their slots.
func (e *engines) fetch(ctx context.Context, ready chan<- *shipment) {
	for s := range receive(ctx, e.fetches) {
		var at arena.Range
		if at, s.err = e.readTo(ctx, s.whole[0], s.slot.at); s.err == nil {
			s.upload(uint32(s.whole[0]), at)
		}
		hand(ctx, ready, s)
	}
}

// direct finds work for the device and for the link, if the device has nothing to do: then
// the active set stands still.
func (e *engines) direct() error {
	if e.busy {
		return nil
	}
	if err := e.relieve(); err != nil {
		return err
	}
	return e.turn()
}

// over tells whether nothing is left to be done.
func (e *engines) over() bool {
	return !e.busy && len(e.waiting) == 0 && len(e.high)+e.coming+e.cutters == 0
}

// await takes notice of what happens next.
func (e *engines) await() error {
	var free <-chan *slot
	if len(e.high) > 0 && e.coming < transSet {
		free = e.free
	}
	select {
	case s := <-e.arrived:
		return e.take(s)
	case e.last = <-e.turned:
		e.busy = false
	case s := <-free:
		e.meter.chose(false)
		e.fetches <- &shipment{slot: s, whole: e.high[:1]}
		e.high, e.coming = e.high[1:], e.coming+1
	case <-e.ctx.Done():
		return context.Cause(e.ctx)
	}
	return nil
}

// relieve evicts chunks for those that wait for a slot, as far as there are any that may go:
// those of no value, and those that have been gone through k times, or, if the link would have
// nothing to do meanwhile, once.
func (e *engines) relieve() error {
	spare := len(e.fit.slots) - len(e.held) - e.coming // free, or about to be
	for ; spare < min(len(e.high), transSet-e.coming); spare++ {
		within := e.queue.Levels
		if e.coming+spare == 0 {
			within = 1
		}
		chunk, ok := e.queue.Evict(e.value, within)
		if !ok {
			return nil
		}
		slot := e.held[chunk]
		delete(e.held, chunk)
		leaves := exchange{done: func(plugins.Event) { e.free <- slot }}
		if err := e.talk.send(plugins.Command{Op: plugins.Evict, Chunk: uint32(chunk)}, leaves); err != nil {
			return err
		}
	}
	return nil
}

// take has the device take what has arrived.
func (e *engines) take(s *shipment) error {
	switch {
	case s.err != nil:
		return s.err
	case s.slot == nil:
		e.cutters--
		return nil
	case len(s.whole) > 0:
		e.coming--
		e.held[s.whole[0]] = s.slot
		e.queue.Add(s.whole[0])
	default:
		e.waiting = append(e.waiting, s)
	}
	return e.talk.send(s.uploads[0], exchange{})
}

// turn has the device go through the tiles that wait and the next chunks of the queue, so
// many that there are more edges to look at than vertices, to all of which a turn gives a
// look as well. A chunk has more than its first turn only while something is on its way.
func (e *engines) turn() error {
	within := 1
	if len(e.high)+e.coming+e.cutters > 0 {
		within = e.queue.Levels
	}
	chunks := e.queue.Next(e.value, within, max(1, e.snap.Manifest().Vertices))
	if len(chunks)+len(e.waiting) == 0 {
		return nil
	}
	var senders []senderSet
	for _, chunk := range chunks {
		senders = append(senders, senderSet{Interval: e.chunks[chunk].info.Rows})
	}
	for _, tile := range e.waiting {
		senders = append(senders, tile.senders...)
	}
	if err := e.writeSenders(e.set, senders); err != nil {
		return err
	}
	e.busy = true
	settle := plugins.Command{Op: plugins.Settle, At: e.set, Rounds: 1}
	if err := e.talk.send(settle, exchange{done: func(now plugins.Event) { e.turned <- *now.Iteration }}); err != nil {
		return err
	}
	return e.clearTiles()
}

// clearTiles evicts the tiles that have had their turn.
func (e *engines) clearTiles() error {
	for _, tile := range e.waiting {
		leaves := exchange{done: func(plugins.Event) { e.tiles <- tile.slot }}
		if err := e.talk.send(plugins.Command{Op: plugins.Evict, Chunk: tile.slot.part}, leaves); err != nil {
			return err
		}
	}
	e.waiting = nil
	return nil
}

// value is how many edges of a chunk active vertices have now.
func (e *engines) value(number int) uint64 {
	rows, degrees := e.lists(number)
	return schedule.Bitmap(e.active).Demand(rows, degrees, chunk.Places{})
}

// lists are the rows of a chunk, and how long they are.
func (r *run) lists(chunk int) (rows chunk.Interval, degrees []uint32) {
	info := r.chunks[chunk].info
	return info.Rows, r.degrees[info.Direction]
}
