package bench

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// storage times toArena, plainRead and plainCopy by turns; cold, where the page cache can be
// emptied, as well.
func (g *graph) storage(ctx context.Context, o Options) ([]Row, error) {
	region, err := arena.Create(g.bytes + 1<<20)
	if err != nil {
		return nil, err
	}
	defer region.Close()
	into, err := region.Bytes(arena.Range{Length: g.bytes})
	if err != nil {
		return nil, err
	}
	clear(into)
	from := make([]byte, g.bytes)
	copy(from, into)
	if err := os.WriteFile(g.file(copied), from, 0o600); err != nil {
		return nil, err
	}
	fromStore := timed(toArena, func() (time.Duration, error) { return g.readChunks(ctx, into) })
	fromFile := timed(plainRead, func() (time.Duration, error) { return readPlain(g.file(copied), into) })
	fromMemory := timed(plainCopy, func() (time.Duration, error) { return took(func() error { copy(into, from); return nil }) })
	found, err := rounds(ctx, []contender{fromStore, fromFile, fromMemory}, o.Runs, o.Limit)
	if err != nil || forget(g.dir) != nil {
		return []Row{{warm, found}}, err
	}
	// Opening the store reads of it, so that it would not be cold any more.
	opening := timed(openFirst, func() (time.Duration, error) {
		return took(func() error { _, err := g.readChunks(ctx, into); return err })
	})
	coldly, err := rounds(ctx, []contender{g.forgotten(opening), g.forgotten(fromFile)}, o.Runs, o.Limit)
	return []Row{{warm, found}, {cold, coldly}}, err
}

// forgotten is c with nothing of the graph in the page cache.
func (g *graph) forgotten(c contender) contender {
	return func(ctx context.Context) ([]sample, error) {
		if err := forget(g.dir); err != nil {
			return nil, err
		}
		return c(ctx)
	}
}

// timed is a contender in this process.
func timed(way string, do func() (time.Duration, error)) contender {
	return func(context.Context) ([]sample, error) {
		elapsed, err := do()
		return []sample{{way: way, seconds: elapsed.Seconds()}}, err
	}
}

func took(do func() error) (time.Duration, error) {
	started := time.Now()
	err := do()
	return time.Since(started), err
}

// readChunks opens the store anew, for what it has mapped would not be forgotten.
func (g *graph) readChunks(ctx context.Context, into []byte) (elapsed time.Duration, err error) {
	err = g.withSnapshot(plain, func(snapshot *store.Snapshot) error {
		elapsed, err = took(func() error { return readAll(ctx, snapshot, into) })
		return err
	})
	return elapsed, err
}

// readAll reads with two readers, as a run does, each chunk to a place of its own.
func readAll(ctx context.Context, snapshot *store.Snapshot, into []byte) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for _, info := range snapshot.Chunks(chunk.Both) {
		size, err := snapshot.ChunkSize(info, nil)
		if err != nil {
			return errors.Join(err, g.Wait())
		}
		place := into[:size]
		into = into[size:]
		g.Go(func() error {
			_, err := snapshot.ReadChunk(ctx, info, nil, place)
			return err
		})
	}
	return g.Wait()
}

func readPlain(file string, into []byte) (time.Duration, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return took(func() error {
		for len(into) > 0 {
			n, err := f.Read(into)
			if err != nil {
				return err
			}
			into = into[n:]
		}
		return nil
	})
}
