package snapshot

import (
	"context"
	"iter"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/buffers"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// EachChunk reads the chunks of one direction in row order, with these columns; of an undirected
// graph there is only one set, whatever d is. One is held at a time, and only until the next.
// After an error, which is ReadChunk's, nothing more comes.
func (s *Snapshot) EachChunk(ctx context.Context, d chunk.Direction, columns ...string) iter.Seq2[*chunk.Chunk, error] {
	return func(yield func(*chunk.Chunk, error) bool) {
		for _, info := range s.Chunks(d) {
			more := false
			err := s.withChunk(ctx, info, columns, func(c *chunk.Chunk) error {
				more = yield(c, nil)
				return nil
			})
			if err != nil {
				yield(nil, err)
				return
			}
			if !more {
				return
			}
		}
	}
}

// withChunk reads a chunk with these columns and hands it to use, whose error it returns.
func (s *Snapshot) withChunk(ctx context.Context, info manifest.ChunkInfo, columns []string,
	use func(*chunk.Chunk) error) error {
	size, err := s.ChunkSize(info, columns)
	if err != nil {
		return err
	}
	buffer := buffers.Borrow(size)
	defer buffers.Return(buffer)
	n, err := s.ReadChunk(ctx, info, columns, buffer)
	if err != nil {
		return err
	}
	c, err := chunk.Open(buffer[:n])
	if err != nil {
		return err
	}
	defer c.Release()
	return use(c)
}

// WholeChunk reads a chunk with all its columns and hands it to use, whose error it returns.
func (s *Snapshot) WholeChunk(ctx context.Context, info manifest.ChunkInfo, use func(*chunk.Chunk) error) error {
	columns := make([]string, len(info.Columns))
	for i, c := range info.Columns {
		columns[i] = c.Name
	}
	return s.withChunk(ctx, info, columns, use)
}
