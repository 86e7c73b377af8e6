package cuda

import (
	"context"
	"errors"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"unsafe"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// upload is a chunk on its way to the card.
type upload struct {
	resident *resident
	began    *driver.Event
	copied   *driver.Event
	letter   *stream.Letter
	bytes    uint64 // that are copied
	borrowed bool   // from another device, not from the host
	declined error  // why not, if something is wrong
}

// begin has a chunk copied, checked and converted, once it is known to be one.
func (s *session) begin(ctx context.Context, c plugins.Command) (*upload, error) {
	r, err := openResident(s.job, c, s.plan.Directions, s.task.edgeColumns())
	if err != nil {
		return nil, damaged(err)
	}
	u := &upload{resident: r, letter: s.streams.Mail.Take()}
	if err = s.choose(ctx, u, c); err == nil {
		err = s.admit(r, c.Export)
	}
	if err != nil {
		s.streams.Mail.Give(u.letter)
		r.view.Release()
		return nil, errors.Join(err, r.dropSelection(s))
	}
	if err := s.send(ctx, u, c); err != nil {
		s.strays = append(s.strays, r) // something may be on its way to it
		return nil, err
	}
	return u, nil
}

// admit takes memory for a chunk, if the budget agrees; some that can be lent, if it is to be exported and there is
// any.
func (s *session) admit(r *resident, export bool) (err error) {
	if err := s.budget.Take(r.bytes, "the chunk"); err != nil {
		return err
	}
	switch {
	case s.managed:
		r.memory, err = s.card.Context.AllocManaged(r.bytes)
	case export && r.selection == nil && s.lend(r):
	default:
		r.memory, err = s.streams.Copying.Alloc(r.bytes)
	}
	if err != nil {
		s.budget.Give(r.bytes)
	}
	return err
}

// send puts everything that an upload takes into the queues.
func (s *session) send(ctx context.Context, u *upload, c plugins.Command) (err error) {
	r := u.resident
	r.place(c.Chunk, s.task.edgeColumns())
	if u.began == nil {
		u.began, err = s.streams.Mark(s.streams.Copying)
	}
	if err != nil {
		return err
	}
	if u.bytes, err = s.carry(ctx, u, c); err != nil {
		return err
	}
	if u.copied, err = s.streams.Mark(s.streams.Copying); err != nil {
		return err
	}
	if err = s.streams.Checking.Wait(*u.copied); err != nil {
		return err
	}
	if err = s.check(u); err == nil {
		r.ready, err = s.streams.Mark(s.streams.Checking)
	}
	return err
}

// carry copies the chunk's lists and columns, or has those of its rows gathered, and tells how many bytes that is.
func (s *session) carry(ctx context.Context, u *upload, c plugins.Command) (bytes uint64, err error) {
	if n := u.resident.selection; n != nil {
		return n.read, s.collect(u)
	}
	if u.borrowed, err = s.borrow(u, c.Import); err == nil && !u.borrowed {
		err = s.carryBody(ctx, u.resident, c)
	}
	return uint64(len(u.resident.body)), err
}

// carryBody copies lists and columns: from where they lie, if that is pinned.
func (s *session) carryBody(ctx context.Context, r *resident, c plugins.Command) error {
	if c.File != "" {
		return s.streams.CopyIn(ctx, s.streams.Copying, r.memory, r.body)
	}
	at := arena.Range{Offset: c.At.Offset + r.skipped, Length: uint64(len(r.body))}
	if !s.pins.IsPinned(at) {
		return s.streams.CopyIn(ctx, s.streams.Copying, r.memory, r.body)
	}
	return s.pins.Pieces(at, func(offset uint64, piece []byte) error {
		return s.streams.Copying.CopyIn(r.memory+driver.Pointer(offset), piece)
	})
}

// check has the card convert columns and look at every row and edge: of what is damaged no rows are left. The letter
// brings what kernels need to know, and comes back with what they found; it is in this queue for nothing small to stand
// between large copies.
func (s *session) check(u *upload) error {
	r := u.resident
	if err := s.describe(s.streams.Checking, u); err != nil {
		return err
	}
	flag := r.At + driver.Pointer(unsafe.Offsetof(u.letter.Flag))
	for _, c := range r.conversions {
		if err := s.card.Plain.Convert(s.streams.Checking, c.to, c.from, c.kind, c.validity, r.Edges); err != nil {
			return err
		}
	}
	if s.program != nil && s.program.checksWeights() {
		if err := s.card.Plain.ValidateWeights(s.streams.Checking, r.Columns[0], r.Edges, flag); err != nil {
			return err
		}
	}
	if err := s.card.Plain.Validate(s.streams.Checking, &r.Resident, r.meta.Rows.Count, r.meta.Cols.Count, flag); err != nil {
		return err
	}
	return s.streams.Checking.CopyOut(memory.BytesOf(&u.letter.Flag), flag)
}

// describe tells kernels where a chunk's lists are.
func (s *session) describe(on driver.Stream, u *upload) error {
	u.letter.Chunk = u.resident.Chunk
	return on.CopyIn(u.resident.At, u.letter.Head())
}

// upload makes a chunk resident.
func (s *session) upload(ctx context.Context, o *order) (*stream.Work, error) {
	if s.chunks[o.command.Chunk] != nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "it is resident already")
	}
	u, err := o.upload, o.err
	if u == nil && err == nil {
		u, err = s.beginNow(ctx, o.command)
	}
	if err != nil {
		return nil, err
	}
	o.upload = nil
	s.chunks[o.command.Chunk] = u.resident
	s.beginUploads(ctx)
	return &stream.Work{Began: u.began, Copied: u.copied, Done: u.resident.ready, Finish: func(e *plugins.Event) error {
		e.Bytes, e.Released, e.Imported = u.bytes, true, u.borrowed
		e.Export, e.Declined = s.exported(u.resident, u.bytes), s.declined(u)
		return s.arrived(u)
	}}, nil
}

// beginNow begins an upload whose turn it is. It waits for memory: what was evicted may still be in use. Where there is
// none to find rows of the chunk, it is begun for all.
func (s *session) beginNow(ctx context.Context, c plugins.Command) (*upload, error) {
	s.short = true
	defer func() { s.short = false }()
	u, err := s.begin(ctx, c)
	for isFull(err) && len(s.answers) > 0 {
		if err := s.wait(ctx, s.answers[0]); err != nil {
			return nil, err
		}
		u, err = s.begin(ctx, c)
	}
	if isFull(err) && c.Among.Length > 0 {
		c.Among = arena.Range{}
		return s.begin(ctx, c)
	}
	return u, err
}

// arrived says what the card has found out about a chunk.
func (s *session) arrived(u *upload) error {
	r := u.resident
	flag := u.letter.Flag
	s.streams.Mail.Give(u.letter)
	defer r.leaveArena()
	r.ready = nil // it has taken place, and is used for others
	if err := r.dropSelection(s); err != nil {
		return err
	}
	switch flag {
	case 0:
		return nil
	case kernels.BadWeights:
		return shape.SettlesWith(s.program.spec, r.leastWeight())
	}
	if err := r.view.Validate(); err != nil {
		return damaged(err)
	}
	return plugins.Errorf(plugins.KindChunk, "the card finds its lists damaged (%#x)", flag)
}

// evict forgets a chunk, once the card does not use it any more.
func (s *session) evict(c plugins.Command) (*stream.Work, error) {
	r, err := s.resident(c.Chunk)
	if err != nil {
		return nil, err
	}
	if err := r.await(s.streams.Computing); err != nil {
		return nil, err
	}
	a, err := s.streams.Timed(s.streams.Computing, func() error { return nil })
	if err != nil {
		return nil, err
	}
	delete(s.chunks, c.Chunk)
	a.Finish = func(*plugins.Event) error { return r.free(s) }
	return a, nil
}

func (s *session) resident(number uint32) (*resident, error) {
	if r := s.chunks[number]; r != nil {
		return r, nil
	}
	return nil, plugins.Errorf(plugins.KindInvalid, "it is not resident")
}
