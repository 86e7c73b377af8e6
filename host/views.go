package host

import (
	"context"
	"errors"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
)

// view is a stored chunk with the edge columns of the task, to cut lists out of. Lasting
// says that it stays until the run ends and takes no memory of the run's own: it is a
// chunk in the store's file, whose checksums were compared when it was first looked at. Else
// it is a copy, which is gone with what refers to it.
func (r *run) view(ctx context.Context, i int) (c *chunk.Chunk, lasting bool, err error) {
	r.viewing.Lock()
	c = r.views[i]
	r.viewing.Unlock()
	if c != nil {
		return c, true, nil
	}
	started := time.Now()
	if r.warm.files != nil && !r.fit.scarce {
		c, err = r.viewStored(ctx, i)
	} else {
		err = errors.ErrUnsupported
	}
	if lasting = err == nil; errors.Is(err, errors.ErrUnsupported) {
		c, err = r.viewCopy(ctx, i)
	}
	if err == nil {
		r.meter.lookedAt(r.chunks[i].size, time.Since(started))
		r.spanBytes("read", started, uint64(r.chunks[i].size))
	}
	return c, lasting, err
}

func (r *run) viewStored(ctx context.Context, i int) (*chunk.Chunk, error) {
	at, err := r.locate(ctx, i)
	if err != nil {
		return nil, err
	}
	bytes, err := r.arena.File(at.file, at.Range)
	if err != nil {
		return nil, err
	}
	whole, err := chunk.OpenUnaligned(bytes)
	if err != nil {
		return nil, err
	}
	defer whole.Release()
	c, err := whole.Project(r.edgeNames...)
	if err == nil {
		r.viewing.Lock()
		r.views[i] = c
		r.viewing.Unlock()
	}
	return c, err
}

func (r *run) viewCopy(ctx context.Context, i int) (*chunk.Chunk, error) {
	buf := chunk.Aligned(int(slotBytes(uint64(r.chunks[i].size))))
	n, err := r.readChunk(ctx, i, buf)
	if err == nil {
		err = r.complete(buf[:n])
	}
	if err != nil {
		return nil, err
	}
	return chunk.Open(buf[:n])
}

// releaseViews gives up the chunks that were looked at.
func (r *run) releaseViews() {
	for _, c := range r.views {
		c.Release()
	}
	clear(r.views)
}
