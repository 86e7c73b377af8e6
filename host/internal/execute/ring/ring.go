// Package ring sends lists of edges, put together as they are needed, through slots of the arena: the oldest gives way.
package ring

import (
	"context"
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Ring is the shipments that are on the device, the oldest first, each in a slot. One more slot is for what comes next,
// which is put together while the device is at work.
type Ring struct {
	*execute.Env
	lists *supply.Lists
	Held  schedule.Bitmap // whose lists are there
	set   schedule.Bitmap // of a Settle
	there []shipped
	free  []*plan.Slot // once nothing is leaving
	// The device is asked to forget chunks, and answers while other things are done.
	leaving int
	left    chan struct{}
}

// shipped is the lists of some vertices, in one or two chunks of a slot.
type shipped struct {
	slot     *plan.Slot
	chunks   []uint32
	vertices []uint64
}

// New has all slots of a plan free.
func New(env *execute.Env, lists *supply.Lists) (*Ring, error) {
	set, err := env.Arena().Uint64s(env.Plan.Fit.Set)
	r := &Ring{Env: env, lists: lists, Held: make(schedule.Bitmap, len(set)), set: set,
		left: make(chan struct{}, 2*len(env.Plan.Fit.Slots))}
	for i := range env.Plan.Fit.Slots {
		r.free = append(r.free, &env.Plan.Fit.Slots[i])
	}
	return r, err
}

// Len is how many shipments are on the device.
func (r *Ring) Len() int { return len(r.there) }

// Free is how many slots are free.
func (r *Ring) Free() int { return len(r.free) }

// Oldest are the vertices whose lists give way next.
func (r *Ring) Oldest() []uint64 { return r.there[0].vertices }

// reserve is which part of a slot is kept for what turns out to be lacking.
const reserve = 8

// RoomAhead is what lists may take that are chosen ahead.
func (r *Ring) RoomAhead() uint64 {
	room := r.RoomBeside(&Part{})
	return room - min(room, room/reserve+r.Plan.Sizes().PartRoom())
}

// RoomBeside is what lists may take beside what was chosen ahead, but for a header.
func (r *Ring) RoomBeside(ahead *Part) uint64 {
	room, header := r.Plan.Fit.Capacity, r.Plan.Sizes().PartRoom()
	if ahead.Slot != nil {
		room -= ahead.Bytes + header
	}
	return room - header
}

// Settle has the device go on along the lists that are there, and does not wait for it.
func (r *Ring) Settle() (answer chan plugins.Event, err error) { return r.SettleAmong(r.Held) }

// SettleAmong has the device go on along the lists of some of those that are there, and does not wait for it.
func (r *Ring) SettleAmong(some schedule.Bitmap) (answer chan plugins.Event, err error) {
	copy(r.set, some)
	answer = make(chan plugins.Event, 1)
	settle := plugins.Command{Op: plugins.Settle, At: r.Plan.Fit.Set}
	return answer, r.Device.Send(settle, link.Call{Done: func(e plugins.Event) { answer <- e }})
}

// Await is the answer of a Settle.
func Await(ctx context.Context, answer <-chan plugins.Event) (plugins.Event, error) {
	select {
	case event := <-answer:
		return event, nil
	case <-ctx.Done():
		return plugins.Event{}, context.Cause(ctx)
	}
}

// MakeRoom has the device forget the oldest shipments until so many slots are free. An active vertex among those that
// they were of lacks its list from then on.
func (r *Ring) MakeRoom(slots int) error {
	for len(r.free) < slots {
		oldest := r.there[0]
		for _, number := range oldest.chunks {
			r.leaving++
			left := link.Call{Done: func(plugins.Event) { r.left <- struct{}{} }}
			if err := r.Device.Send(plugins.Command{Op: plugins.Evict, Chunk: number}, left); err != nil {
				return err
			}
		}
		for _, v := range oldest.vertices {
			r.Held.Remove(v)
		}
		r.there, r.free = slices.Delete(r.there, 0, 1), append(r.free, oldest.slot)
	}
	return nil
}

// take takes a free slot, when what was there has left.
func (r *Ring) take(ctx context.Context) (*plan.Slot, error) {
	for ; r.leaving > 0; r.leaving-- {
		select {
		case <-r.left:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	slot := r.free[len(r.free)-1]
	r.free = r.free[:len(r.free)-1]
	return slot, nil
}

// Put puts what was chosen ahead together in a slot of its own.
func (r *Ring) Put(ctx context.Context, ahead *Part) (err error) {
	if ahead.Slot, err = r.take(ctx); err == nil {
		ahead.encoded, err = r.encode(ahead, ahead.Slot.At)
	}
	return err
}

// GiveBack makes the slot of what was chosen ahead free again.
func (r *Ring) GiveBack(ahead *Part) {
	r.free = append(r.free, ahead.Slot)
	ahead.Clear(0)
}

// encode puts the lists of a part together at a place in the arena, and tells how many bytes they take.
func (r *Ring) encode(p *Part, at arena.Range) (uint64, error) {
	began := time.Now()
	joined, err := cut.Join(r.lists.Take(p.Taken)...)
	if err != nil {
		return 0, err
	}
	dst, err := r.Arena().Bytes(at)
	if err != nil {
		return 0, err
	}
	n, err := joined.EncodeTo(dst, supply.Readers)
	r.Rec.Meter.Cut(n, time.Since(began))
	r.Rec.Trace.Stage("put together", began, uint64(n))
	return uint64(n), err
}

// Send uploads what was chosen ahead, and in the same slot behind it the rest. There may be neither.
func (r *Ring) Send(ctx context.Context, ahead, rest *Part) (err error) {
	if ahead.Slot == nil && rest.Edges > 0 {
		if ahead.Slot, err = r.take(ctx); err != nil {
			return err
		}
	}
	if slot := ahead.Slot; slot != nil {
		s := shipped{slot: slot, vertices: slices.Concat(ahead.Vertices, rest.Vertices)}
		at := slot.At
		if ahead.encoded > 0 {
			at.Length = ahead.encoded
			err = r.upload(ctx, &s, slot.Part, at)
			taken := plan.Aligned(ahead.encoded)
			at = arena.Range{Offset: slot.At.Offset + taken, Length: slot.At.Length - taken}
		}
		if rest.Edges > 0 && err == nil {
			if at.Length, err = r.encode(rest, at); err == nil {
				err = r.upload(ctx, &s, slot.Part+uint32(len(r.Plan.Fit.Slots)), at)
			}
		}
		r.there = append(r.there, s)
	}
	for _, p := range []*Part{ahead, rest} {
		for _, v := range p.Vertices {
			r.Held.Add(v)
		}
		p.Clear(0)
	}
	return err
}

// upload gives the device a chunk of a shipment.
func (r *Ring) upload(ctx context.Context, s *shipped, number uint32, at arena.Range) error {
	s.chunks = append(s.chunks, number)
	r.Rec.Meter.Chose(true)
	r.Rec.Carry(ctx, at.Length)
	return r.Device.Send(plugins.Command{Op: plugins.Upload, Chunk: number, At: at}, link.Call{})
}
