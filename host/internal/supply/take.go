package supply

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/store"
)

// Take is what take cuts out of a chunk, for who looks at nothing else of it. Where chunks are read past the system's
// cache, and no edge column is wanted, no more is read than the pages of these lists, and the lists have memory of
// their own: that of the chunk is used for the next. Where that cannot be, the chunk is read whole, which the run's
// report counts. Lasting says, as of View, that the lists may wait.
func (s *Supply) Take(ctx context.Context, i int, take func(*chunk.Chunk) cut.Selection) (lists cut.Selection,
	lasting bool, err error) {
	var unpaged error
	if s.paged() {
		if lists, unpaged = s.takePages(ctx, i, take); unpaged == nil {
			return lists, true, nil
		}
	}
	view, lasting, err := s.View(ctx, i) // which can say what is wrong
	if err != nil {
		return cut.Selection{}, false, err
	}
	if unpaged != nil {
		s.rec.Meter.ReadWhole(unpaged)
	}
	return take(view), lasting, nil
}

// paged tells whether Take reads no more than pages, where they have checksums.
func (s *Supply) paged() bool { return s.scarce && len(s.columns) == 0 }

// PageBytes is how much is read at once where Take reads no more than pages; 0: chunks are read whole.
func (s *Supply) PageBytes() uint64 {
	whole := func(c plan.Chunk) bool { return !c.Info.HasPages() }
	if !s.paged() || slices.ContainsFunc(s.chunks, whole) {
		return 0
	}
	return store.PageBytes
}

// takePages reads the pages of lists.
func (s *Supply) takePages(ctx context.Context, i int, take func(*chunk.Chunk) cut.Selection) (lists cut.Selection,
	err error) {
	began, info := time.Now(), s.chunks[i].Info
	buf, err := s.borrow(int(info.Bytes) + store.ListsRoom)
	if err != nil {
		return lists, err
	}
	defer s.giveBack(buf)
	c, took, err := s.snap.ReadLists(ctx, info, buf, func(c *chunk.Chunk) iter.Seq2[int, int] {
		lists = take(c)
		return lists.Spans()
	})
	if took.Bytes > 0 {
		s.rec.Meter.FirstLook(took.Bytes, time.Since(began))
		s.rec.Trace.Stage("read", began, uint64(took.Bytes))
	}
	if err != nil {
		return lists, err
	}
	defer c.Release()
	s.rec.Meter.ReadUncached(nil)
	return lists.Clone()
}

// borrow is a buffer of so many bytes at least. There come to be as many as are used at once: one for each
// reader.
func (s *Supply) borrow(bytes int) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.spare) - 1; last >= 0 {
		buf := s.spare[last]
		if s.spare = s.spare[:last]; len(buf) >= bytes {
			return buf, nil
		}
		pages.Free(buf)
	}
	return pages.Scratch(bytes)
}

func (s *Supply) giveBack(buf []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = append(s.spare, buf)
}
