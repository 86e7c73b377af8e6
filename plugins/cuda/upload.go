package cuda

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// upload makes a chunk resident.
func (s *session) upload(ctx context.Context, o *order) (*stream.Work, error) {
	if s.chunks.Has(o.command.Chunk) {
		return nil, plugins.Errorf(plugins.KindInvalid, "it is resident already")
	}
	u, err := o.upload, o.err
	if u == nil && err == nil {
		u, err = s.beginNow(ctx, o.command)
	}
	if err != nil {
		return nil, err
	}
	s.chunks.Keep(o.command.Chunk, u.Chunk)
	s.beginUploads(ctx)
	return s.chunks.Work(u), nil
}

// beginNow begins an upload whose turn it is. It waits for memory: what was evicted may still be in use. Where there is
// none to find rows of the chunk, it is begun for all.
func (s *session) beginNow(ctx context.Context, c plugins.Command) (*residency.Upload, error) {
	s.short = true
	defer func() { s.short = false }()
	u, err := s.chunks.Begin(ctx, c)
	for isFull(err) && len(s.answers) > 0 {
		if err := s.wait(ctx, s.answers[0]); err != nil {
			return nil, err
		}
		u, err = s.chunks.Begin(ctx, c)
	}
	if isFull(err) && c.Among.Length > 0 {
		c.Among = arena.Range{}
		return s.chunks.Begin(ctx, c)
	}
	return u, err
}
