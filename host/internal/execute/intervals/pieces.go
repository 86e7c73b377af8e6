package intervals

import (
	"context"

	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// sendPieces has the device step over pieces of a cell, while the next are read, and apply, if no more cells follow.
// wait waits for the end.
func (o *owner) sendPieces(ctx context.Context, pieces []arena.Range, more bool) error {
	for k, piece := range pieces {
		var slot int
		select {
		case slot = <-o.free:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err := o.sendPiece(ctx, piece, slot); err != nil {
			return err
		}
		if err := o.evict(slot, k == len(pieces)-1, more); err != nil {
			return err
		}
	}
	if more {
		return nil
	}
	return o.begun(plugins.Command{Op: plugins.Apply})
}

// evict has the device forget the piece in a slot, which is free then. The last one of a cell ends what wait waits for;
// of a column, it travels with Apply.
func (o *owner) evict(slot int, last, more bool) error {
	ended := func(plugins.Event) {}
	if last && more {
		ended = o.await()
	}
	c := plugins.Command{Op: plugins.Evict, Chunk: o.slots[slot].Part, More: last && !more}
	return o.tell(c, func(event plugins.Event) {
		o.free <- slot
		ended(event)
	})
}

// sendPiece reads a piece to a slot, and has the device step over it. Another command must follow.
func (o *owner) sendPiece(ctx context.Context, piece arena.Range, slot int) error {
	place := o.slots[slot]
	if err := o.upload(ctx, piece, place); err != nil {
		return err
	}
	return o.tell(plugins.Command{Op: plugins.Step, Chunk: place.Part, More: true}, nil)
}

// upload reads a piece to a place, and makes it resident. Another command must follow.
func (o *owner) upload(ctx context.Context, piece arena.Range, place plan.Slot) error {
	at := arena.Range{Offset: place.At.Offset, Length: piece.Length}
	dst, err := o.Arena().Bytes(at)
	if err != nil {
		return err
	}
	if err := o.cells.read(dst, piece.Offset); err != nil {
		return err
	}
	o.Rec.Carry(ctx, at.Length)
	o.counts.EdgeBytes, o.counts.Pieces = o.counts.EdgeBytes+at.Length, o.counts.Pieces+1
	return o.tell(plugins.Command{Op: plugins.Upload, Chunk: place.Part, At: at, More: true}, nil)
}
