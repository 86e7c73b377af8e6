package shipment

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// fill puts a shipment into its slot: chunks one after the other, then what is put together
// of parts, and the bitmap of senders.
func (l *Loader) fill(ctx context.Context, s *Shipment) *Shipment {
	if s.Err != nil {
		return s
	}
	began := time.Now()
	defer func() { s.Times.Copy = time.Since(began) }()
	var rest arena.Range
	if s.Slot != nil {
		rest = s.Slot.At
	} else {
		rest = l.Plan.Chunks[s.Whole[0]].At
	}
	for n, i := range s.Whole {
		if l.Plan.Fit.Placed > 0 {
			if s.Err = l.addPlaced(ctx, s, n); s.Err != nil {
				return s
			}
			continue
		}
		into, stays := rest, s.Slot != nil && l.Stays(s, n)
		if stays {
			into = l.Plan.Chunks[i].At
		}
		at, err := l.Supply.ReadTo(ctx, i, into)
		if err != nil {
			s.Err = err
			return s
		}
		s.AddUpload(uint32(i), at)
		if stays {
			continue
		}
		rest = arena.Range{Offset: plan.Aligned(at.End()), Length: rest.End() - plan.Aligned(at.End())}
	}
	if len(s.Parts) > 0 {
		s.Err = l.PutTogether(s, s.Slot.Part, rest, supply.Readers)
	}
	if s.Err == nil && l.Plan.Settling {
		s.Err = l.WriteSenders(s.Slot.Set, s.Senders)
	}
	return s
}

// addPlaced tells the device of the i-th of a shipment's chunks, which has a place of its own, and whose rows it is to
// take.
func (l *Loader) addPlaced(ctx context.Context, s *Shipment, i int) error {
	at, err := l.Supply.Placed(ctx, s.Whole[i])
	if err != nil {
		return err
	}
	command := plugins.Command{Op: plugins.Upload, Chunk: uint32(s.Whole[i]), At: at}
	switch {
	case s.Slot == nil || s.reads[i] == 0:
	case l.Plan.Settling:
		command.Among = s.Slot.Set
	default:
		command.Among = l.Plan.Task.Layout.Active
	}
	s.Uploads = append(s.Uploads, command)
	return nil
}

// PutTogether joins the parts of a shipment at a range of the arena, as the chunk of a number; so many workers copy.
func (l *Loader) PutTogether(s *Shipment, number uint32, at arena.Range, workers int) error {
	began := time.Now()
	part, err := cut.Join(s.Parts...)
	if err != nil {
		return err
	}
	dst, err := l.Arena().Bytes(at)
	if err != nil {
		return err
	}
	n, err := part.EncodeTo(dst, workers)
	if err != nil {
		return err
	}
	at.Length = uint64(n)
	s.AddUpload(number, at)
	l.Rec.Meter.Cut(n, time.Since(began))
	l.Rec.Trace.Stage("put together", began, at.Length)
	s.Parts = nil
	return nil
}

// WriteSenders makes a bitmap of senders in the arena.
func (l *Loader) WriteSenders(at arena.Range, all []Senders) error {
	set, err := l.Arena().Uint64s(at)
	clear(set)
	for _, senders := range all {
		senders.addTo(set)
	}
	return err
}
