package host

import (
	"context"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// shelve gives each chunk of a streamed run a place of its own in the arena, where it stays once it has been read, for a device
// that takes active rows out of it by itself: then nobody here cuts, and nothing is read twice. The host's memory must have room
// for the graph, of which the chunks of one run take half at most. Else chunks of earlier runs go.
func (r *run) shelve() {
	if !r.shelves() {
		r.warm.shed(nil)
		return
	}
	r.warm.shed(r.chunks)
	for i, c := range r.chunks {
		at := r.warm.places[c.name()]
		r.chunks[i].at = at
		r.fit.shelved = max(r.fit.shelved, aligned(at.End()))
		r.used += aligned(at.Length)
	}
}

// shelves tells whether a run is such a one. Scaph's engines and NeuGraph's grid have chunks cut otherwise, and several
// devices are given the same lists; what has to be converted the host cuts.
func (r *run) shelves() bool {
	return r.kernel.Selects && r.kernel.ActiveRows && r.policy.Needs.Demand && !r.policy.Needs.Grid && !r.keeps() &&
		len(r.devices) == 1 && r.convertedEdge() == 0 && r.engine != nil && r.graphBytes() <= r.engine.memory/2
}

// fromShelf is where a chunk lies in the arena: it is read when it is first asked for.
func (r *run) fromShelf(ctx context.Context, i int) (arena.Range, error) {
	c := r.chunks[i]
	if there, ok := r.warm.has(c.name()); ok && there.file == "" {
		return there.Range, nil
	}
	at, err := r.readTo(ctx, i, c.at)
	if err == nil {
		r.warm.fill(c.name(), place{Range: at})
	}
	return at, err
}

// leaves tells whether the device is to take a load's rows out of its chunk.
func (r *run) leaves(l schedule.Load) bool {
	return l.Part && r.fit.shelved > 0 && l.Cols.Count == 0 && r.final.Places == (chunk.Places{}) && r.chunks[l.Chunk].device <= r.fit.capacity
}

// reads is about what the device then reads: where the senders' lists begin and end, and the lists.
func (r *run) reads(s senderSet, degrees []uint32) uint64 {
	first := s.Base / 64 * 64
	lists := schedule.Bitmap(s.words).Count(chunk.Interval{Base: s.Base - first, Count: s.Count})
	return 8*lists + uint64(4+8*len(r.edgeNames))*s.demand(degrees)
}

// uploadFromShelf tells the device of the i-th of a shipment's chunks, and whose rows it is to take.
func (r *run) uploadFromShelf(ctx context.Context, s *shipment, i int) error {
	at, err := r.fromShelf(ctx, s.whole[i])
	if err != nil {
		return err
	}
	command := plugins.Command{Op: plugins.Upload, Chunk: uint32(s.whole[i]), At: at}
	switch {
	case s.slot == nil || s.reads[i] == 0:
	case r.settling:
		command.Among = s.slot.set
	default:
		command.Among = r.task.Layout.Active
	}
	s.uploads = append(s.uploads, command)
	return nil
}

// give has a shipment's i-th upload pass over the link. What the device reads by itself is counted once it has told of it.
func (r *run) give(s *shipment, i int) {
	move, bytes := r.transfer, s.uploads[i].At.Length
	if s.uploads[i].Among.Length > 0 {
		move, bytes = r.carry, s.reads[i]
	}
	s.times.Transfer += move(bytes)
	s.times.Bytes += bytes
}
