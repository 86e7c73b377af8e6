package commands

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// Upload makes a chunk resident: the order's turn has come.
func (l *Loop) Upload(ctx context.Context, o *Order) (*stream.Work, error) {
	if l.Chunks.Has(o.Command.Chunk) {
		return nil, plugins.Errorf(plugins.KindInvalid, "it is resident already")
	}
	u, err := o.upload, o.err
	if u == nil && err == nil {
		u, err = l.beginNow(ctx, o.Command)
	}
	if err != nil {
		return nil, err
	}
	l.Chunks.Keep(o.Command.Chunk, u.Chunk)
	l.beginUploads(ctx)
	return l.Chunks.Work(u), nil
}

// beginNow begins an upload whose turn it is. It waits for memory: what was evicted may still be in use. Where there is
// none to find rows of the chunk, it is begun for all.
func (l *Loop) beginNow(ctx context.Context, c plugins.Command) (*residency.Upload, error) {
	l.short = true
	defer func() { l.short = false }()
	u, err := l.Chunks.Begin(ctx, c)
	for isFull(err) && len(l.answers) > 0 {
		if err := l.wait(ctx, l.answers[0]); err != nil {
			return nil, err
		}
		u, err = l.Chunks.Begin(ctx, c)
	}
	if isFull(err) && c.Among.Length > 0 {
		c.Among = arena.Range{}
		return l.Chunks.Begin(ctx, c)
	}
	return u, err
}

// beginUploads begins those that have come, in order, as far as there is memory. The first that finds none is tried
// again when its turn comes: what stands before it may be an Evict. Until then those behind it wait as well, for a
// smaller one would take the room that it is waiting for.
func (l *Loop) beginUploads(ctx context.Context) {
	for _, o := range l.orders {
		if o.Command.Op != plugins.Upload || o.upload != nil || o.err != nil {
			continue
		}
		if l.short || !l.Streams.Mail.HasRoom() {
			return
		}
		if o.upload, o.err = l.Chunks.Begin(ctx, o.Command); isFull(o.err) {
			o.err = nil
			return
		}
	}
}

// isFull tells whether there would be room if something were evicted.
func isFull(err error) bool {
	return err != nil && plugins.KindOf(err) == plugins.KindBudget || errors.Is(err, driver.OutOfMemory)
}
