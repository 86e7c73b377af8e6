package supply

import (
	"context"
	"errors"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/packed"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// mostCopies is how many bytes of copies stay in memory until Release.
const mostCopies = 16 << 20

// View is a stored chunk with the edge columns of the task, to cut lists out of. Lasting says that it stays until
// Release: it is a chunk in the store's file, which takes no memory of the run's own, or one of the copies that stay.
// Checksums were compared when it was first looked at. Else it is a copy that is gone with what refers to it. Small
// chunks lie in no file of their own; large ones are copied where the system's cache would not keep them.
func (s *Supply) View(ctx context.Context, i int) (c *chunk.Chunk, lasting bool, err error) {
	s.looking[i].Lock()
	defer s.looking[i].Unlock()
	if c := s.viewed(i); c != nil {
		return c, true, nil
	}
	began := time.Now()
	if s.Cache.files != nil && !s.scarce {
		c, err = s.viewStored(ctx, i)
	} else {
		err = errors.ErrUnsupported
	}
	if lasting = err == nil; errors.Is(err, errors.ErrUnsupported) {
		if c, err = s.viewCopy(ctx, i); err == nil {
			lasting = s.keep(i, c)
		}
	}
	if err == nil {
		s.rec.Meter.FirstLook(s.chunks[i].Size, time.Since(began))
		s.rec.Trace.Stage("read", began, uint64(s.chunks[i].Size))
	}
	return c, lasting, err
}

// Passing says why the views of all chunks cannot last at once, if that is so: of those that lie in no file the copies
// must stay.
func (s *Supply) Passing() plan.Unordered {
	if s.scarce {
		return plan.Unordered{Cause: plan.Scarce}
	}
	copies := uint64(0)
	for i, c := range s.chunks {
		if !s.InFile(i) {
			copies += uint64(c.Size)
		}
	}
	if copies > mostCopies {
		return plan.Unordered{Cause: plan.SmallChunks, Need: copies, Have: mostCopies}
	}
	return plan.Unordered{}
}

// InFile tells whether a view of a chunk lies in a file of the store's.
func (s *Supply) InFile(i int) bool {
	return s.Cache.files != nil && !s.scarce && arena.CanMapFiles && s.chunks[i].Info.Bytes >= store.LeastInFile
}

// keep has a copy stay, if there is room.
func (s *Supply) keep(i int, c *chunk.Chunk) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scarce || s.copies+s.chunks[i].Size > mostCopies {
		return false
	}
	s.copies += s.chunks[i].Size
	s.views[i] = c
	return true
}

// Viewed tells whether a chunk has a lasting view.
func (s *Supply) Viewed(i int) bool { return s.viewed(i) != nil }

func (s *Supply) viewed(i int) *chunk.Chunk {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.views[i]
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

// Release gives up the chunks that were looked at, and packed copies.
func (s *Supply) Release() {
	if done := s.packed.Close(); done != (report.CopiesReport{}) {
		s.rec.Meter.Copied(done)
	}
	s.packed = packed.New()
	for _, c := range s.views {
		c.Release()
	}
	clear(s.views)
	s.copies = 0
	for _, buf := range s.spare {
		pages.Free(buf)
	}
	s.spare = nil
}
