package nearest

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
)

// ring is the shipments that are on the device, the oldest first, each in a slot.
type ring struct {
	*execute.Env
	held  schedule.Bitmap // whose lists are there: the set of each Settle
	there []shipped
	free  []*plan.Slot
}

// shipped is the lists of some vertices.
type shipped struct {
	slot     *plan.Slot
	vertices []uint64
}

func newRing(env *execute.Env) (*ring, error) {
	set, err := env.Arena().Uint64s(env.Plan.Fit.Set)
	clear(set)
	r := &ring{Env: env, held: set}
	for i := range env.Plan.Fit.Slots {
		r.free = append(r.free, &env.Plan.Fit.Slots[i])
	}
	return r, err
}

// room is what lists may take that come next, but for a header.
func (r *ring) room() uint64 { return r.Plan.Fit.Capacity - r.Plan.Sizes().PartRoom() }

// makeRoom has the device forget the oldest shipment, unless a slot is free. An active vertex among those that it was
// of lacks its list from then on.
func (r *ring) makeRoom() error {
	if len(r.free) > 0 {
		return nil
	}
	oldest := r.there[0]
	if _, err := r.Device.Do(plugins.Command{Op: plugins.Evict, Chunk: oldest.slot.Part}, nil); err != nil {
		return err
	}
	for _, v := range oldest.vertices {
		r.held.Remove(v)
	}
	r.there, r.free = slices.Delete(r.there, 0, 1), append(r.free, oldest.slot)
	return nil
}

// send puts the lists of a region together in a free slot. There may be none.
func (r *ring) send(ctx context.Context, of *region) error {
	if len(of.chosen) == 0 {
		return nil
	}
	began, slot := time.Now(), r.free[len(r.free)-1]
	part, err := cut.Join(of.lists.Take(of.taken)...)
	if err != nil {
		return err
	}
	dst, err := r.Arena().Bytes(slot.At)
	if err != nil {
		return err
	}
	n, err := part.EncodeTo(dst, supply.Readers)
	if err != nil {
		return err
	}
	r.Rec.Meter.Cut(n, time.Since(began))
	r.Rec.Meter.Chose(true)
	r.Rec.Trace.Stage("put together", began, uint64(n))
	upload := plugins.Command{Op: plugins.Upload, Chunk: slot.Part, At: slot.At}
	upload.At.Length = uint64(n)
	r.Rec.Carry(ctx, upload.At.Length)
	if err := r.Device.Send(upload, link.Call{}); err != nil {
		return err
	}
	for _, v := range of.chosen {
		r.held.Add(v)
	}
	r.free = r.free[:len(r.free)-1]
	r.there = append(r.there, shipped{slot, slices.Clone(of.chosen)})
	return nil
}
