package host

import (
	"context"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// shipment is what is on the device together, in one slot.
//
//	Loads ──choose, two at once──▶ cargo ──pack──▶ shipments ──fill, two at once──▶ slots ──▶ device
type shipment struct {
	slot    *slot             // nil: the only chunk has a place of its own, and is to stay there
	whole   []int             // chunks as they are stored
	parts   []chunk.Selection // lists that are put together as one chunk
	reads   []uint64          // of each in whole, what the device takes of it by itself, in bytes; 0: all
	senders []senderSet       // whose edges these are all of, for Settle
	rounds  int
	uploads []plugins.Command
	group   int            // of the loads
	times   schedule.Times // so far
	err     error
}

// slot is a place in the arena for a shipment. It is free again once the device has
// forgotten the shipment.
type slot struct {
	at   arena.Range
	set  arena.Range // for the bitmap of a Settle
	part uint32      // the number of the chunk that is put together here
}

// cargo is a load with what is to be sent of it.
type cargo struct {
	schedule.Load
	part    chunk.Selection
	reads   uint64 // what the device takes of the chunk by itself; 0: part, or all, is given to it
	lasting bool   // part may wait for others to be put together with
	senders senderSet
	took    time.Duration // to look for part
	err     error
}

// senderSet is active vertices of an interval, as they were at one time.
type senderSet struct {
	chunk.Interval
	words []uint64 // of the bitmap, from the word of Base on; nil: all of the interval
}

// takeSenders copies the active set's part in an interval, which the device may be changing.
func takeSenders(active []uint64, i chunk.Interval) senderSet {
	s := senderSet{Interval: i, words: []uint64{}}
	for at := i.Base / 64; at*64 < i.End(); at++ {
		s.words = append(s.words, atomic.LoadUint64(&active[at])&schedule.Within(at, i))
	}
	return s
}

// addTo puts the senders into a bitmap over all vertices.
func (s senderSet) addTo(set []uint64) {
	for at := s.Base / 64; at*64 < s.End(); at++ {
		if s.words == nil {
			set[at] |= schedule.Within(at, s.Interval)
		} else {
			set[at] |= s.words[at-s.Base/64] & schedule.Within(at, s.Interval)
		}
	}
}

// demand adds up their degrees.
func (s senderSet) demand(degrees []uint32) uint64 {
	first := s.Base / 64 * 64
	return schedule.Bitmap(s.words).Demand(chunk.Interval{Base: s.Base - first, Count: s.Count}, degrees[first:], chunk.Places{})
}

// before is the part below a vertex.
func (s senderSet) before(v uint64) senderSet {
	s.Count = v - s.Base
	return s
}

// from is the rest.
func (s senderSet) from(v uint64) senderSet {
	s.words = s.words[v/64-s.Base/64:]
	s.Base, s.Count = v, s.End()-v
	return s
}

// choose takes the lists of a load's active vertices, if less than all is to be sent.
func (r *run) choose(ctx context.Context, l schedule.Load) cargo {
	rows, degrees := r.lists(l.Chunk)
	c := cargo{Load: l, senders: senderSet{Interval: rows}}
	if l.Part {
		if c.senders = takeSenders(r.active, rows); r.settling && !r.saves(l.Chunk, c.senders.demand(degrees)) {
			c.senders.words, c.Part, l.Part = nil, false, false
		}
	}
	if r.leaves(l) {
		c.Part, c.reads = false, max(1, r.reads(c.senders, degrees))
		return c
	}
	tooLarge := r.chunks[l.Chunk].device > r.fit.capacity
	narrow := l.Cols.Count > 0 && l.Cols != r.chunks[l.Chunk].info.Cols
	if !l.Part && !tooLarge && !narrow {
		return c
	}
	looked := time.Now()
	view, lasting, err := r.view(ctx, l.Chunk)
	if err != nil {
		c.err = err
		return c
	}
	started := time.Now()
	if c.lasting = lasting; l.Part {
		c.part = view.Select(c.senders.words, c.senders.Base/64*64, r.final.Places)
	} else {
		c.part = view.SelectAll()
	}
	if narrow {
		c.part = c.part.Within(l.Cols)
	}
	c.took = time.Since(looked)
	r.meter.cut(0, time.Since(started))
	r.spanBytes("select", started, uint64(c.part.Bytes()))
	// Where there is nothing to save, the chunk is sent as it is stored.
	c.Part = tooLarge || narrow || r.cost(c.part)+r.partRoom() < r.chunks[l.Chunk].device
	return c
}

// saves tells whether lists of so many edges may be less than the chunk: since the schedule
// has decided, more vertices may have become active. It costs less to know beforehand than to
// cut lists in vain.
func (r *run) saves(chunk int, edges uint64) bool {
	c := r.chunks[chunk]
	return float64(c.device)*float64(edges) < float64(c.info.Edges)*float64(c.device-min(c.device, r.partRoom()))
}

// partRoom is what a chunk that is put together takes beside its lists, at most.
func (r *run) partRoom() uint64 { return uint64(2<<10 + 512*len(r.edgeNames)) }

// cost is what lists take of the budget, but for a header.
func (r *run) cost(s chunk.Selection) uint64 { return uint64(s.Bytes() + r.convertedEdge()*s.Edges()) }

// pack makes shipments of loads. It waits for slots.
func (r *run) pack(ctx context.Context, loads []schedule.Load) iter.Seq[*shipment] {
	return func(yield func(*shipment) bool) {
		p := packer{run: r, ctx: ctx, yield: yield}
		tasks := func(context.Context) iter.Seq[schedule.Load] { return slices.Values(loads) }
		for c := range inOrder(ctx, tasks, r.choose) {
			if !p.add(c) {
				return
			}
		}
		p.flush()
	}
}

// packer fills one shipment after another.
type packer struct {
	*run
	ctx    context.Context
	yield  func(*shipment) bool
	next   *shipment // nil: empty
	room   uint64    // left in next
	closed bool
}

// add puts cargo into the next shipments. It tells whether more is wanted.
func (p *packer) add(c cargo) bool {
	switch {
	case c.err != nil:
		p.closed = true
		return p.yield(&shipment{err: c.err})
	case !c.Part:
		p.meter.chose(c.reads > 0)
		p.chunks[c.Chunk].sent += c.reads
		p.addWhole(c)
	case c.part.Edges() > 0:
		p.meter.chose(true)
		p.chunks[c.Chunk].sent += p.cost(c.part)
		p.addPart(c)
	}
	return !p.closed
}

func (p *packer) addWhole(c cargo) {
	if c.Chunk < p.fit.kept && c.reads == 0 {
		p.flush()
		p.next = &shipment{whole: []int{c.Chunk}, rounds: c.Rounds}
		p.flush()
		return
	}
	cost := aligned(p.chunks[c.Chunk].device)
	p.begin(cost, c.Load, len(p.partsOfNext()) > 0)
	if p.next == nil {
		return
	}
	p.next.whole = append(p.next.whole, c.Chunk)
	p.next.reads = append(p.next.reads, c.reads)
	p.next.senders = append(p.next.senders, c.senders)
	p.room -= cost
	if !p.settling {
		p.flush() // the sooner it is there the better
	}
}

func (p *packer) addPart(c cargo) {
	each := p.convertedEdge()
	pieces := []chunk.Selection{c.part}
	if room := int(p.fit.capacity - p.partRoom()); p.cost(c.part) > uint64(room) {
		cut := c.part.Cut
		if !p.mayCut() && uint64(room) >= p.sumRoom() {
			cut = c.part.CutSums
		}
		pieces = cut(room, each)
	}
	for _, piece := range pieces {
		fresh := p.next != nil && (len(p.next.whole) > 0 || len(p.next.parts) > 0 && !p.joins(piece))
		p.begin(p.cost(piece)+p.partRoom(), c.Load, fresh)
		if p.next == nil {
			return
		}
		p.next.parts = append(p.next.parts, piece)
		p.room -= p.cost(piece)
	}
	if p.next != nil {
		p.next.senders = append(p.next.senders, c.senders)
		p.next.times.Read += c.took
	}
	if !c.lasting {
		p.flush()
	}
}

// joins tells whether lists can be put together with those of the next shipment. Sums that are taken in order begin with a chunk.
func (p *packer) joins(s chunk.Selection) bool {
	return p.mayCut() && s.Follows(p.next.parts[len(p.next.parts)-1])
}

func (p *packer) partsOfNext() []chunk.Selection {
	if p.next == nil {
		return nil
	}
	return p.next.parts
}

// begin sees to it that the next shipment has room for so much of a load, and is one that it
// may be put together with.
func (p *packer) begin(cost uint64, l schedule.Load, fresh bool) {
	if p.next != nil && (fresh || cost > p.room || p.next.rounds != l.Rounds || p.next.group != l.Group) {
		p.flush()
	}
	if p.next != nil || p.closed {
		return
	}
	select {
	case s := <-p.free:
		p.next, p.room = &shipment{slot: s, rounds: l.Rounds, group: l.Group}, p.fit.capacity
	case <-p.ctx.Done():
		p.closed = true
	}
}

func (p *packer) flush() {
	if p.next != nil && !p.yield(p.next) {
		p.closed = true
	}
	p.next = nil
}
