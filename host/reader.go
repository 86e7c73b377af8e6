package host

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/penstock-db/penstock/plugins/arena"
)

// loaded is a chunk in its place.
type loaded struct {
	chunk int // index in run.chunks
	at    place
	err   error
}

// read reads chunks into the places that place finds for them and yields them in the
// order asked for, while the next are being read. It ends at the first error.
func (r *run) read(chunks []int, place func(int) arena.Range) iter.Seq[loaded] {
	tasks := func(context.Context) iter.Seq[int] { return slices.Values(chunks) }
	all := inOrder(r.ctx, tasks, func(ctx context.Context, i int) loaded { return r.load(ctx, i, place(i)) })
	return func(yield func(loaded) bool) {
		for l := range all {
			if !yield(l) || l.err != nil {
				return
			}
		}
	}
}

// load reads one chunk to its own place and sees that no edge lacks a value. A chunk that
// is there already need not be read.
func (r *run) load(ctx context.Context, i int, at arena.Range) loaded {
	name := r.chunks[i].name()
	if there, ok := r.warm.has(name); ok && (there.file == "" || r.maps.Load()) {
		return loaded{chunk: i, at: there}
	}
	started := time.Now()
	there, err := place{}, errors.ErrUnsupported
	if r.maps.Load() && r.warm.files != nil {
		there, err = r.locate(ctx, i)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		there.Range, err = r.copy(ctx, i, at)
	}
	if err != nil {
		return loaded{err: err}
	}
	r.meter.loaded(min(int(there.Length), r.chunks[i].size), time.Since(started))
	r.spanBytes("read", started, there.Length)
	r.warm.fill(name, there)
	return loaded{chunk: i, at: there}
}

// locate finds a chunk where it is stored, for a device that reads it there, unless an edge
// lacks a value.
func (r *run) locate(ctx context.Context, i int) (place, error) {
	at, err := r.snap.LocateChunk(ctx, r.chunks[i].info, r.edgeNames, r.lacksNothing)
	return place{at.Path, arena.Range{Offset: uint64(at.Offset), Length: uint64(at.Length)}}, err
}

// copy reads a chunk into a range of the arena, which shrinks to what it really takes.
func (r *run) copy(ctx context.Context, i int, at arena.Range) (arena.Range, error) {
	r.arena.Populate(at)
	dst, err := r.arena.Bytes(at)
	if err != nil {
		return at, err
	}
	n, err := r.readChunk(ctx, i, dst)
	if err == nil {
		err = r.complete(dst[:n])
	}
	at.Length = uint64(n)
	return at, err
}

// readChunk reads a chunk into dst: past the system's cache, where that is too small to keep it.
func (r *run) readChunk(ctx context.Context, i int, dst []byte) (int, error) {
	if !r.fit.scarce {
		return r.snap.ReadChunk(ctx, r.chunks[i].info, r.edgeNames, dst)
	}
	n, cached, err := r.snap.ReadChunkUncached(ctx, r.chunks[i].info, r.edgeNames, dst)
	if err == nil {
		r.meter.uncached(cached)
	}
	return n, err
}
