package formats

import "context"

// CountEdges is source, telling after each batch how many of Schema().Edges have been
// read. It is the progress of a source that reads no files.
func CountEdges(source Source, progress func(done, total int64)) Source {
	return &counted{Source: source, progress: progress}
}

// Held is what a source holds beside a batch until it is closed, in bytes, as far as it tells: of it a load with little
// memory has less.
func Held(source Source) int64 {
	if holder, ok := source.(interface{ Held() int64 }); ok {
		return holder.Held()
	}
	return 0
}

type counted struct {
	Source
	progress func(done, total int64)
}

func (c *counted) Held() int64 { return Held(c.Source) }

func (c *counted) Edges(ctx context.Context, yield func(*EdgeBatch) error) error {
	var done int64
	total := c.Schema().Edges
	return c.Source.Edges(ctx, func(batch *EdgeBatch) error {
		done += int64(batch.Src.Len())
		c.progress(done, total)
		return yield(batch)
	})
}
