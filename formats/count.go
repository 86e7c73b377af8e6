package formats

import "context"

// CountEdges is source, telling after each batch how many of Schema().Edges have been
// read. It is the progress of a source that reads no files.
func CountEdges(source Source, progress func(done, total int64)) Source {
	return &counted{Source: source, progress: progress}
}

type counted struct {
	Source
	progress func(done, total int64)
}

func (c *counted) Edges(ctx context.Context, yield func(*EdgeBatch) error) error {
	var done int64
	total := c.Schema().Edges
	return c.Source.Edges(ctx, func(batch *EdgeBatch) error {
		done += int64(batch.Src.Len())
		c.progress(done, total)
		return yield(batch)
	})
}
