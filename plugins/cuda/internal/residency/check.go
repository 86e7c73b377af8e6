package residency

import (
	"cmp"
	"errors"
	"slices"
	"unsafe"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// check has the card convert columns and look at every row and edge: of what is damaged no rows are left. The letter
// brings what kernels need to know, and comes back with what they found; it is in this queue for nothing small to stand
// between large copies.
func (s *Residency) check(u *Upload) error {
	r := u.Chunk
	if err := s.describe(s.Streams.Checking, u); err != nil {
		return err
	}
	flag := r.At + driver.Pointer(unsafe.Offsetof(u.letter.Flag))
	for _, c := range r.conversions {
		if err := s.Card.Plain.Convert(s.Streams.Checking, c.to, c.from, c.kind, c.validity, r.Edges); err != nil {
			return err
		}
	}
	if s.Settles != nil {
		if err := s.Card.Plain.ValidateWeights(s.Streams.Checking, r.Columns[0], r.Edges, flag); err != nil {
			return err
		}
	}
	err := s.Card.Plain.Validate(s.Streams.Checking, &r.Resident, r.meta.Rows.Count, r.meta.Cols.Count, flag)
	if err != nil {
		return err
	}
	return s.Streams.Checking.CopyOut(memory.BytesOf(&u.letter.Flag), flag)
}

// describe tells kernels where a chunk's lists are.
func (s *Residency) describe(on driver.Stream, u *Upload) error {
	r := u.Chunk
	u.letter.Chunk = r.Chunk
	return on.CopyIn(r.At, u.letter.Head())
}

// arrived says what the card has found out about a chunk that is there.
func (s *Residency) arrived(u *Upload) error {
	r := u.Chunk
	flag := u.letter.Flag
	s.Streams.Mail.Give(u.letter)
	defer r.leaveArena()
	r.ready = nil // it has taken place, and is used for others
	if err := s.dropSelection(r); err != nil {
		return err
	}
	switch flag {
	case 0:
		return nil
	case kernels.BadWeights:
		return s.Settles(r.leastWeight())
	}
	if err := r.view.Validate(); err != nil {
		return damaged(err)
	}
	return plugins.Errorf(plugins.KindChunk, "the card finds its lists damaged (%#x)", flag)
}

// damaged is a chunk that is none, or not of this run.
func damaged(err error) error {
	var known *plugins.Error
	if errors.As(err, &known) {
		return err
	}
	return plugins.Errorf(plugins.KindChunk, "%w", err)
}

// leastWeight is the least value of the first edge column, or one that is no number.
func (r *Chunk) leastWeight() float64 {
	weights, _ := r.view.Float64s(r.view.Columns()[0].Name)
	return slices.MinFunc(weights, cmp.Compare[float64]) // to which a NaN is least
}
