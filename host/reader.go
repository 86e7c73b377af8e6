package host

import (
	"context"
	"errors"
	"iter"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/plugins/arena"
)

// readers is how many goroutines read chunks at once. Two keep a disk busy while one of
// them checks and copies; a third gains nothing.
const readers = 2

// loaded is a chunk in its place.
type loaded struct {
	chunk int // index in run.chunks
	at    place
	err   error
}

// read reads chunks into the places that place finds for them and yields them in the
// order asked for, while the next are being read. It ends at the first error. When it
// returns no goroutine of it is left.
func (r *run) read(chunks []int, place func(context.Context, int) (arena.Range, error)) iter.Seq[loaded] {
	return func(yield func(loaded) bool) {
		ctx, cancel := context.WithCancel(r.ctx)
		queue := make(chan chan loaded, readers-1)
		var g errgroup.Group
		defer func() {
			cancel()
			_ = g.Wait() // errors come through the queue
		}()
		g.Go(func() error {
			defer close(queue)
			return r.dispatch(ctx, &g, chunks, place, queue)
		})
		for cell := range queue {
			if l := <-cell; !yield(l) || l.err != nil {
				return
			}
		}
	}
}

// dispatch starts a reading of each chunk, as soon as there is a place for it and a
// reader to spare: the queue has room for one reading beside the one awaited.
func (r *run) dispatch(ctx context.Context, g *errgroup.Group, chunks []int,
	place func(context.Context, int) (arena.Range, error), queue chan<- chan loaded) error {
	for _, i := range chunks {
		cell := make(chan loaded, 1)
		at, err := place(ctx, i)
		select {
		case queue <- cell:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err != nil {
			cell <- loaded{err: err}
			return err
		}
		g.Go(func() error {
			cell <- r.load(ctx, i, at)
			return nil
		})
	}
	return nil
}

// load reads one chunk and sees that no edge lacks a value. A chunk that is in a place of
// its own already need not be read.
func (r *run) load(ctx context.Context, i int, at arena.Range) loaded {
	name, own := r.chunks[i].name(), r.fit.slots == nil
	if there, ok := r.warm.has(name); ok && own && (there.file == "" || r.maps.Load()) {
		return loaded{chunk: i, at: there}
	}
	started := time.Now()
	there, err := place{}, errors.ErrUnsupported
	if own && r.maps.Load() && r.warm.files != nil {
		there, err = r.locate(ctx, i)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		there, err = r.copy(ctx, i, at)
	}
	if err != nil {
		return loaded{err: err}
	}
	r.meter.loaded(min(int(there.Length), r.chunks[i].size), time.Since(started))
	if own {
		r.warm.fill(name, there)
	}
	return loaded{chunk: i, at: there}
}

// locate finds a chunk where it is stored, for a device that reads it there, unless an edge
// lacks a value.
func (r *run) locate(ctx context.Context, i int) (place, error) {
	at, err := r.snap.LocateChunk(ctx, r.chunks[i].info, r.edgeNames, r.lacksNothing)
	return place{at.Path, arena.Range{Offset: uint64(at.Offset), Length: uint64(at.Length)}}, err
}

// copy reads a chunk into a range of the arena, which shrinks to what it really takes.
func (r *run) copy(ctx context.Context, i int, at arena.Range) (place, error) {
	r.arena.Populate(at)
	dst, err := r.arena.Bytes(at)
	if err != nil {
		return place{}, err
	}
	read := r.snap.ReadChunk
	if r.fit.scarce {
		read = r.snap.ReadChunkUncached
	}
	n, err := read(ctx, r.chunks[i].info, r.edgeNames, dst)
	if err == nil {
		err = r.complete(dst[:n])
	}
	at.Length = uint64(n)
	return place{Range: at}, err
}
