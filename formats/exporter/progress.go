package exporter

import (
	"context"

	"github.com/penstock-db/penstock/formats"
)

// counted is a source that tells progress of each batch that a writer has taken.
type counted struct {
	formats.Source
	done, total int64
	progress    func(done, total int64)
}

func withProgress(src formats.Source, progress func(done, total int64)) formats.Source {
	if progress == nil {
		return src
	}
	schema := src.Schema()
	total := schema.Vertices + schema.Edges
	if schema.Vertices < 0 || schema.Edges < 0 {
		total = -1
	}
	return &counted{Source: src, total: total, progress: progress}
}

func (c *counted) add(rows int) {
	c.done += int64(rows)
	c.progress(c.done, c.total)
}

func (c *counted) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	return c.Source.Nodes(ctx, func(b *formats.NodeBatch) error {
		err := yield(b)
		c.add(b.ID.Len())
		return err
	})
}

func (c *counted) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	return c.Source.Edges(ctx, func(b *formats.EdgeBatch) error {
		err := yield(b)
		c.add(b.Src.Len())
		return err
	})
}
