package shipment

import (
	"context"

	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/schedule"
)

// packer fills one shipment after another.
type packer struct {
	*Loader
	ctx    context.Context
	yield  func(*Shipment) bool
	next   *Shipment // nil: empty
	room   uint64    // left in next
	closed bool
}

// add puts cargo into the next shipments. It tells whether more is wanted.
func (p *packer) add(c cargo) bool {
	switch {
	case c.err != nil:
		p.closed = true
		return p.yield(&Shipment{Err: c.err})
	case !c.Part:
		p.Rec.Meter.Chose(c.reads > 0)
		p.Sent[c.Chunk] += c.reads
		p.addWhole(c)
	case c.part.Edges() > 0:
		p.Rec.Meter.Chose(true)
		p.Sent[c.Chunk] += p.sizes.Cost(c.part)
		p.addPart(c)
	}
	return !p.closed
}

func (p *packer) addWhole(c cargo) {
	cost := plan.Aligned(p.Plan.Chunks[c.Chunk].Device)
	if c.Chunk < p.Plan.Fit.Kept && c.reads == 0 {
		if !p.Plan.Settling {
			p.flush()
			p.next = &Shipment{Whole: []int{c.Chunk}, Rounds: c.Rounds}
			p.flush()
			return
		}
		cost = 0 // it has a place of its own; a slot has the set of its senders
	}
	p.begin(cost, c.Load, p.next != nil && len(p.next.Parts) > 0)
	if p.next == nil {
		return
	}
	p.next.Whole = append(p.next.Whole, c.Chunk)
	p.next.reads = append(p.next.reads, c.reads)
	p.next.Senders = append(p.next.Senders, c.senders)
	p.room -= cost
	if !p.Plan.Settling {
		p.flush() // the sooner it is there the better
	}
}

func (p *packer) addPart(c cargo) {
	pieces := []cut.Selection{c.part}
	if room := int(p.Plan.Fit.Capacity - p.sizes.PartRoom()); p.sizes.Cost(c.part) > uint64(room) {
		cut := c.part.Cut
		if !p.Plan.MayCut() && p.Plan.Fit.CutsSums(p.sizes) {
			cut = c.part.CutSums
		}
		pieces = cut(room, p.sizes.ConvertedEdge)
	}
	for _, piece := range pieces {
		fresh := p.next != nil && (len(p.next.Whole) > 0 || len(p.next.Parts) > 0 && !p.joins(piece))
		p.begin(p.sizes.Cost(piece)+p.sizes.PartRoom(), c.Load, fresh)
		if p.next == nil {
			return
		}
		p.next.Parts = append(p.next.Parts, piece)
		p.room -= p.sizes.Cost(piece)
	}
	if p.next != nil {
		p.next.Senders = append(p.next.Senders, c.senders)
		p.next.Times.Read += c.took
	}
	if !c.lasting {
		p.flush()
	}
}

// joins tells whether lists can be put together with those of the next shipment. Sums that are taken in order begin
// with a chunk.
func (p *packer) joins(s cut.Selection) bool {
	return p.Plan.MayCut() && s.Follows(p.next.Parts[len(p.next.Parts)-1])
}

// begin sees to it that the next shipment has room for so much of a load, and is one that it
// may be put together with.
func (p *packer) begin(cost uint64, load schedule.Load, fresh bool) {
	if p.next != nil && (fresh || cost > p.room || p.next.Rounds != load.Rounds || p.next.Group != load.Group) {
		p.flush()
	}
	if p.next != nil || p.closed {
		return
	}
	select {
	case s := <-p.Free:
		p.next, p.room = &Shipment{Slot: s, Rounds: load.Rounds, Group: load.Group}, p.Plan.Fit.Capacity
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
