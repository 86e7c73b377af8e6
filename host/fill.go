package host

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// fill puts a shipment into its slot: chunks one after the other, then what is put together
// of parts, and the bitmap of senders.
func (r *run) fill(ctx context.Context, s *shipment) *shipment {
	if s.err != nil {
		return s
	}
	began := time.Now()
	defer func() { s.times.Copy = time.Since(began) }()
	var rest arena.Range
	if s.slot != nil {
		rest = s.slot.at
	} else {
		rest = r.chunks[s.whole[0]].at
	}
	for n, i := range s.whole {
		if r.fit.shelved > 0 {
			if s.err = r.uploadFromShelf(ctx, s, n); s.err != nil {
				return s
			}
			continue
		}
		at, err := r.readTo(ctx, i, rest)
		if err != nil {
			s.err = err
			return s
		}
		s.upload(uint32(i), at)
		rest = arena.Range{Offset: aligned(at.End()), Length: rest.End() - aligned(at.End())}
	}
	if len(s.parts) > 0 {
		s.err = r.putTogether(s, rest, readers)
	}
	if s.err == nil && r.settling {
		s.err = r.writeSenders(s.slot.set, s.senders)
	}
	return s
}

// readTo reads a chunk to the start of a range, and tells where it lies.
func (r *run) readTo(ctx context.Context, i int, at arena.Range) (arena.Range, error) {
	started := time.Now()
	at.Length = min(at.Length, slotBytes(uint64(r.chunks[i].size)))
	at, err := r.copy(ctx, i, at)
	if err == nil {
		r.meter.loaded(int(at.Length), time.Since(started))
		r.spanBytes("read", started, at.Length)
	}
	return at, err
}

func (s *shipment) upload(number uint32, at arena.Range) {
	s.uploads = append(s.uploads, plugins.Command{Op: plugins.Upload, Chunk: number, At: at})
}

// putTogether joins the parts; so many workers copy.
func (r *run) putTogether(s *shipment, at arena.Range, workers int) error {
	started := time.Now()
	part, err := chunk.Join(s.parts...)
	if err != nil {
		return err
	}
	dst, err := r.arena.Bytes(at)
	if err != nil {
		return err
	}
	n, err := part.EncodeTo(dst, workers)
	if err != nil {
		return err
	}
	at.Length = uint64(n)
	s.upload(s.slot.part, at)
	r.meter.cut(n, time.Since(started))
	r.spanBytes("put together", started, at.Length)
	s.parts = nil
	return nil
}

func (r *run) writeSenders(at arena.Range, all []senderSet) error {
	set, err := r.arena.Uint64s(at)
	clear(set)
	for _, senders := range all {
		senders.addTo(set)
	}
	return err
}
