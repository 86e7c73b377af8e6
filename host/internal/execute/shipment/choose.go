package shipment

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/internal/schedule"
)

// cargo is a load with what is to be sent of it.
type cargo struct {
	schedule.Load
	part    cut.Selection
	reads   uint64 // what the device takes of the chunk by itself; 0: part, or all, is given to it
	lasting bool   // part may wait for others to be put together with
	senders Senders
	took    time.Duration // to look for part
	err     error
}

// choose takes the lists of a load's active vertices, if less than all is to be sent.
func (l *Loader) choose(ctx context.Context, load schedule.Load) cargo {
	rows, degrees := l.Lists(load.Chunk)
	c := cargo{Load: load, senders: Senders{Interval: rows}}
	if load.Part {
		c.senders = TakeSenders(l.Active, rows, l.Priority)
		if l.Plan.Settling && !l.saves(load.Chunk, c.senders.demand(degrees)) {
			c.senders.Words, c.Part, load.Part = nil, false, false
		}
	}
	if l.deviceSelects(load) {
		// Few rows less than all may take more than the chunk, which has no list of where each begins and ends.
		reads := l.reads(c.senders, degrees)
		if c.Part = false; reads+l.sizes.PartRoom() <= l.Plan.Fit.Capacity {
			c.reads = max(1, reads)
		}
		return c
	}
	stored := l.Plan.Chunks[load.Chunk]
	tooLarge := stored.Device > l.Plan.Fit.Capacity
	narrow := load.Cols.Count > 0 && load.Cols != stored.Info.Cols
	if !load.Part && !tooLarge && !narrow {
		return c
	}
	looked := time.Now()
	if c.part, c.lasting, c.err = l.look(ctx, load, narrow, c.senders); c.err != nil {
		return c
	}
	c.took = time.Since(looked)
	// Where there is nothing to save, the chunk is sent as it is stored.
	c.Part = tooLarge || narrow || l.sizes.Cost(c.part)+l.sizes.PartRoom() < stored.Device
	return c
}

// look takes what a load is to send out of a chunk. It tells whether that may wait.
func (l *Loader) look(ctx context.Context, load schedule.Load, narrow bool, senders Senders) (part cut.Selection,
	lasting bool, err error) {
	take := func(view *chunk.Chunk) cut.Selection {
		began := time.Now()
		part := l.take(view, load, narrow, senders)
		l.Rec.Meter.Cut(0, time.Since(began))
		l.Rec.Trace.Stage("select", began, uint64(part.Bytes()))
		return part
	}
	if load.Part && !narrow {
		return l.Supply.Take(ctx, load.Chunk, take)
	}
	view, lasting, err := l.Supply.View(ctx, load.Chunk)
	if err != nil {
		return part, false, err
	}
	return take(view), lasting, nil
}

// take cuts what a load is to send out of a chunk; narrow: not all columns.
func (l *Loader) take(view *chunk.Chunk, load schedule.Load, narrow bool, senders Senders) cut.Selection {
	var of *Senders
	if load.Part {
		of = &senders
	}
	if narrow {
		part, divided, ok := l.Divisions.cell(load.Chunk, view, load.Cols, of, l.places)
		if divided || !ok {
			l.Rec.Meter.Divided()
		}
		if ok {
			return part
		}
	}
	var part cut.Selection
	if load.Part {
		part = senders.Select(view, l.places)
	} else {
		part = cut.All(view)
	}
	if narrow {
		part = part.Within(load.Cols)
	}
	return part
}

// saves tells whether lists of so many edges may be less than the chunk: since the schedule
// has decided, more vertices may have become active. It costs less to know beforehand than to
// cut lists in vain.
func (l *Loader) saves(number int, edges uint64) bool {
	c := l.Plan.Chunks[number]
	return float64(c.Device)*float64(edges) < float64(c.Info.Edges)*float64(c.Device-min(c.Device, l.sizes.PartRoom()))
}

// deviceSelects tells whether the device is to take a load's rows out of its chunk.
func (l *Loader) deviceSelects(load schedule.Load) bool {
	f := l.Plan.Fit
	return load.Part && f.Placed > 0 && load.Cols.Count == 0 && l.places == (chunk.Places{}) &&
		l.Plan.Chunks[load.Chunk].Device <= f.Capacity
}

// reads is about what the device then reads: where the senders' lists begin and end, and the lists.
func (l *Loader) reads(s Senders, degrees []uint32) uint64 {
	return 8*s.count() + uint64(4+8*l.sizes.Columns)*s.demand(degrees)
}
