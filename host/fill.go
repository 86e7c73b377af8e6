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
	for _, i := range s.whole {
		started := time.Now()
		at, err := r.copy(ctx, i, arena.Range{Offset: rest.Offset, Length: min(rest.Length, slotBytes(uint64(r.chunks[i].size)))})
		if err != nil {
			s.err = err
			return s
		}
		r.meter.loaded(int(at.Length), time.Since(started))
		r.spanBytes("read", started, at.Length)
		s.upload(uint32(i), at)
		rest = arena.Range{Offset: aligned(at.End()), Length: rest.End() - aligned(at.End())}
	}
	if len(s.parts) > 0 {
		s.err = r.putTogether(s, rest)
	}
	if s.err == nil && r.settling {
		s.err = r.writeSenders(s)
	}
	return s
}

func (s *shipment) upload(number uint32, at arena.Range) {
	s.uploads = append(s.uploads, plugins.Command{Op: plugins.Upload, Chunk: number, At: at})
}

func (r *run) putTogether(s *shipment, at arena.Range) error {
	started := time.Now()
	part, err := chunk.Join(s.parts...)
	if err != nil {
		return err
	}
	dst, err := r.arena.Bytes(at)
	if err != nil {
		return err
	}
	n, err := part.EncodeTo(dst, readers)
	if err != nil {
		return err
	}
	at.Length = uint64(n)
	s.upload(s.slot.part, at)
	r.meter.loaded(n, 0)
	r.meter.cut(time.Since(started))
	r.spanBytes("put together", started, at.Length)
	s.parts = nil
	return nil
}

func (r *run) writeSenders(s *shipment) error {
	set, err := r.arena.Uint64s(s.slot.set)
	clear(set)
	for _, senders := range s.senders {
		senders.addTo(set)
	}
	return err
}
