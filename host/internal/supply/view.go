package supply

import (
	"context"
	"errors"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
)

// View is a stored chunk with the edge columns of the task, to cut lists out of. Lasting
// says that it stays until Release and takes no memory of the run's own: it is a
// chunk in the store's file, whose checksums were compared when it was first looked at. Else
// it is a copy, which is gone with what refers to it.
func (s *Supply) View(ctx context.Context, i int) (c *chunk.Chunk, lasting bool, err error) {
	if c := s.viewed(i); c != nil {
		return c, true, nil
	}
	began := time.Now()
	if s.Cache.files != nil && !s.scarce && !s.elsewhere(i) {
		c, err = s.viewStored(ctx, i)
	} else {
		err = errors.ErrUnsupported
	}
	if lasting = err == nil; errors.Is(err, errors.ErrUnsupported) {
		s.mu.Lock()
		s.copied[i] = true
		s.mu.Unlock()
		c, err = s.viewCopy(ctx, i)
	}
	if err == nil {
		s.rec.Meter.FirstLook(s.chunks[i].Size, time.Since(began))
		s.rec.Trace.Stage("read", began, uint64(s.chunks[i].Size))
	}
	return c, lasting, err
}

// Viewed tells whether a chunk has a lasting view.
func (s *Supply) Viewed(i int) bool { return s.viewed(i) != nil }

func (s *Supply) viewed(i int) *chunk.Chunk {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.views[i]
}

// elsewhere tells whether a chunk was looked for in the store's files in vain: it is too small to be in one. To look
// takes longer than to copy it.
func (s *Supply) elsewhere(i int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.copied[i]
}

func (s *Supply) viewStored(ctx context.Context, i int) (*chunk.Chunk, error) {
	at, err := s.locate(ctx, i)
	if err != nil {
		return nil, err
	}
	bytes, err := s.Cache.Arena.File(at.File, at.Range)
	if err != nil {
		return nil, err
	}
	whole, err := chunk.OpenUnaligned(bytes)
	if err != nil {
		return nil, err
	}
	defer whole.Release()
	c, err := whole.Project(s.columns...)
	if err == nil {
		s.mu.Lock()
		s.views[i] = c
		s.mu.Unlock()
	}
	return c, err
}

func (s *Supply) viewCopy(ctx context.Context, i int) (*chunk.Chunk, error) {
	buf := chunk.Aligned(int(plan.SlotBytes(uint64(s.chunks[i].Size))))
	n, err := s.readChunk(ctx, i, buf)
	if err == nil {
		err = s.complete(ctx, buf[:n])
	}
	if err != nil {
		return nil, err
	}
	return chunk.Open(buf[:n])
}

// Release gives up the chunks that were looked at.
func (s *Supply) Release() {
	for _, c := range s.views {
		c.Release()
	}
	clear(s.views)
}
