// Package residency brings chunks to the card, has them checked there, and lets them go.
//
//	Begin    command ──open──▶ Chunk, of which only the structure is known to be sound    (chunk.go)
//	         rows that are wanted, where not all: package selection counts them           (choose.go)
//	         memory of the card, charged to the budget                                    (admit.go, place.go)
//	         arena ──▶ card, from where it lies or by pinned buffers                      (upload.go)
//	         lists are validated, columns converted                                       (check.go)
//	Keep     the upload's turn has come: Step finds the chunk                             (residency.go)
//	Work     the card has done it: how long it took; a damaged chunk is an error          (upload.go)
//	Evict    nothing is put into the queues for it any more                               (residency.go)
//	         its memory goes to the next chunk                                            (admit.go)
package residency

import (
	"errors"
	"maps"
	"slices"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
	"github.com/penstock-db/penstock/plugins/cuda/internal/selection"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Setup is what a task needs of its chunks, and what they are brought with.
type Setup struct {
	Card    *card.Card
	Streams *stream.Streams
	Budget  *kit.Budget
	Job     plugins.Job
	Managed bool // chunks lie in unified memory

	Plan    plugins.Plan              // which lists are wanted, and whether the card selects rows
	Columns []string                  // of edges, that kernels read
	Settles func(least float64) error // refuses chunks by their least weight; nil: none
}

// Residency is the chunks of a session on the card. It belongs to the session's thread.
type Residency struct {
	Setup

	pins     *card.Pins // of the arena, while Execute runs
	resident map[uint32]*Chunk
	coming   map[*Chunk]bool // have memory, and are not resident yet: their turn has not come, or something failed
}

// New is a residency without a chunk.
func New(setup Setup) *Residency {
	return &Residency{Setup: setup, resident: map[uint32]*Chunk{}, coming: map[*Chunk]bool{}}
}

// with is what selections are made with.
func (s *Residency) with() selection.On {
	return selection.On{Card: s.Card, Streams: s.Streams, Budget: s.Budget}
}

// Enter begins Execute: only then the arena may be pinned.
func (s *Residency) Enter() { s.pins = s.Card.PinsOf(s.Job.Arena) }

// Leave ends it: what the host gives back to the system must not stay pinned.
func (s *Residency) Leave() error {
	if s.pins == nil {
		return nil
	}
	p := s.pins
	s.pins = nil
	return s.Card.Release(p)
}

// Keep makes a chunk resident: its upload's turn has come.
func (s *Residency) Keep(number uint32, r *Chunk) {
	delete(s.coming, r)
	s.resident[number] = r
}

// Has tells whether a chunk is resident.
func (s *Residency) Has(number uint32) bool { return s.resident[number] != nil }

// Find is a resident chunk.
func (s *Residency) Find(number uint32) (*Chunk, error) {
	if r := s.resident[number]; r != nil {
		return r, nil
	}
	return nil, plugins.Errorf(plugins.KindInvalid, "it is not resident")
}

// InOrder are the resident chunks by number.
func (s *Residency) InOrder() (all []*Chunk) {
	for _, number := range slices.Sorted(maps.Keys(s.resident)) {
		all = append(all, s.resident[number])
	}
	return all
}

// Evict forgets a chunk. Its memory is freed when the work is done: the card does not use it any more.
func (s *Residency) Evict(number uint32) (*stream.Work, error) {
	r, err := s.Find(number)
	if err != nil {
		return nil, err
	}
	if err := r.Await(s.Streams.Computing); err != nil {
		return nil, err
	}
	w, err := s.Streams.Timed(s.Streams.Computing, func() error { return nil })
	if err != nil {
		return nil, err
	}
	delete(s.resident, number)
	w.Finish = func(*plugins.Event) error { return s.free(r) }
	return w, nil
}

// Close gives all memory back. Nothing may be under way.
func (s *Residency) Close() error {
	errs := []error{s.Leave()}
	for r := range s.coming {
		errs = append(errs, s.free(r))
	}
	for _, r := range s.resident {
		errs = append(errs, s.free(r))
	}
	return errors.Join(errs...)
}
