package kernels

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/bench/internal/cgroup"
	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/results"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// storage times toArena, plainRead and plainCopy by turns; cold, where the page cache can be
// emptied, as well.
func storage(ctx context.Context, g *graphs.Graph, o measure.Options) ([]results.Row, error) {
	region, err := arena.Create(g.Bytes + 1<<20)
	if err != nil {
		return nil, err
	}
	defer region.Close()
	into, err := region.Bytes(arena.Range{Length: g.Bytes})
	if err != nil {
		return nil, err
	}
	clear(into)
	from := make([]byte, g.Bytes)
	copy(from, into)
	if err := os.WriteFile(g.File(graphs.Copied), from, 0o600); err != nil {
		return nil, err
	}
	fromStore := timed(measure.ToArena, func() (time.Duration, error) { return readChunks(ctx, g, into) })
	fromFile := timed(measure.PlainRead, func() (time.Duration, error) { return readPlain(g.File(graphs.Copied), into) })
	fromMemory := timed(measure.PlainCopy, func() (time.Duration,
		error) {
		return took(func() error { copy(into, from); return nil })
	})
	found, err := measure.Rounds(ctx, []measure.Contender{fromStore, fromFile, fromMemory}, o.Runs, o.Limit)
	if err != nil || cgroup.Forget(g.Dir) != nil {
		return []results.Row{{Name: measure.Warm, Ways: found}}, err
	}
	// Opening the store reads of it, so that it would not be cold any more.
	opening := timed(measure.OpenFirst, func() (time.Duration, error) {
		return took(func() error { _, err := readChunks(ctx, g, into); return err })
	})
	coldly, err := measure.Rounds(ctx, []measure.Contender{forgotten(g, opening), forgotten(g, fromFile)}, o.Runs, o.Limit)
	return []results.Row{{Name: measure.Warm, Ways: found}, {Name: measure.Cold, Ways: coldly}}, err
}

// forgotten is c with nothing of the graph in the page cache.
func forgotten(g *graphs.Graph, c measure.Contender) measure.Contender {
	return func(ctx context.Context) ([]measure.Sample, error) {
		if err := cgroup.Forget(g.Dir); err != nil {
			return nil, err
		}
		return c(ctx)
	}
}

// timed is a contender in this process.
func timed(way string, do func() (time.Duration, error)) measure.Contender {
	return func(context.Context) ([]measure.Sample, error) {
		elapsed, err := do()
		return []measure.Sample{{Way: way, Seconds: elapsed.Seconds()}}, err
	}
}

func took(do func() error) (time.Duration, error) {
	started := time.Now()
	err := do()
	return time.Since(started), err
}

// readChunks opens the store anew, for what it has mapped would not be forgotten.
func readChunks(ctx context.Context, g *graphs.Graph, into []byte) (elapsed time.Duration, err error) {
	err = g.WithSnapshot(graphs.Plain, func(snapshot *store.Snapshot) error {
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
