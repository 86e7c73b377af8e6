package residency

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// Upload is a chunk on its way to the card.
type Upload struct {
	Chunk *Chunk
	Began *driver.Event

	copied *driver.Event
	letter *stream.Letter
	bytes  uint64 // that are copied
}

// Begin has a chunk copied, checked and converted, once it is known to be one.
func (s *Residency) Begin(ctx context.Context, c plugins.Command) (*Upload, error) {
	r, err := open(s.Job, c, s.Plan.Directions, s.Columns)
	if err != nil {
		return nil, damaged(err)
	}
	u := &Upload{Chunk: r, letter: s.Streams.Mail.Take()}
	if err = s.choose(ctx, u, c); err == nil {
		err = s.admit(r)
	}
	if err != nil {
		s.Streams.Mail.Give(u.letter)
		r.view.Release()
		return nil, errors.Join(err, s.dropSelection(r))
	}
	s.coming[r] = true
	if err := s.send(ctx, u, c); err != nil {
		return nil, err
	}
	return u, nil
}

// send puts everything that an upload takes into the queues.
func (s *Residency) send(ctx context.Context, u *Upload, c plugins.Command) (err error) {
	r, q := u.Chunk, s.Streams
	r.place(c.Chunk, s.Columns)
	if u.Began == nil {
		u.Began, err = q.Mark(q.Copying)
	}
	if err != nil {
		return err
	}
	if u.bytes, err = s.carry(ctx, u, c); err != nil {
		return err
	}
	if u.copied, err = q.Mark(q.Copying); err != nil {
		return err
	}
	if err = q.Checking.Wait(*u.copied); err != nil {
		return err
	}
	if err = s.check(u); err == nil {
		r.ready, err = q.Mark(q.Checking)
	}
	return err
}

// carry copies the chunk's lists and columns, or has those of its rows gathered, and tells how many bytes that is.
func (s *Residency) carry(ctx context.Context, u *Upload, c plugins.Command) (bytes uint64, err error) {
	r := u.Chunk
	if n := r.selection; n != nil {
		if err := s.describe(s.Streams.Copying, u); err != nil {
			return 0, err
		}
		return n.Read, n.Gather(s.with(), &r.Resident, len(s.Columns))
	}
	return uint64(len(r.body)), s.carryBody(ctx, r, c)
}

// carryBody copies lists and columns: from where they lie, if that is pinned.
func (s *Residency) carryBody(ctx context.Context, r *Chunk, c plugins.Command) error {
	q := s.Streams
	if c.File != "" {
		return q.CopyIn(ctx, q.Copying, r.memory, r.body)
	}
	at := arena.Range{Offset: c.At.Offset + r.skipped, Length: uint64(len(r.body))}
	if !s.pins.IsPinned(at) {
		return q.CopyIn(ctx, q.Copying, r.memory, r.body)
	}
	return s.pins.Pieces(at, func(offset uint64, piece []byte) error {
		return q.Copying.CopyIn(r.memory+driver.Pointer(offset), piece)
	})
}

// Work is what the upload has put into the queues.
func (s *Residency) Work(u *Upload) *stream.Work {
	return &stream.Work{Began: u.Began, Copied: u.copied, Done: u.Chunk.ready, Finish: func(e *plugins.Event) error {
		e.Bytes, e.Released = u.bytes, true
		return s.arrived(u)
	}}
}
