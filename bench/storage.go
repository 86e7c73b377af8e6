package bench

import (
	"context"
	"os"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// moving is the row of how a graph's chunks reach memory that has been touched before, from
// a warm page cache; plainRead and plainCopy are as fast as that could be.
const (
	moving    = "read chunks"
	toArena   = "storage to arena" // one chunk after another, checksums and all
	plainRead = "read()"           // a file of as many bytes, into the same memory
	plainCopy = "memcpy"
)

// storage times toArena, plainRead and plainCopy by turns.
func (g *graph) storage(ctx context.Context, o Options) (row Row, err error) {
	err = g.withSnapshot(kernel{}, func(snapshot *store.Snapshot) error {
		row.Ways, err = g.moves(ctx, snapshot, o)
		return err
	})
	row.Name = moving
	return row, err
}

func (g *graph) moves(ctx context.Context, snapshot *store.Snapshot, o Options) (timings, error) {
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
	file := g.file("plain")
	defer os.Remove(file)
	if err := os.WriteFile(file, from, 0o600); err != nil {
		return nil, err
	}
	return rounds(ctx, []contender{
		timed(toArena, func() error { return readChunks(ctx, snapshot, into) }),
		timed(plainRead, func() error { return readPlain(file, into) }),
		timed(plainCopy, func() error { copy(into, from); return nil }),
	}, o.Runs, o.Limit)
}

// timed is a contender in this process.
func timed(way string, do func() error) contender {
	return func(context.Context) ([]sample, error) {
		started := time.Now()
		err := do()
		return []sample{{way: way, seconds: time.Since(started).Seconds()}}, err
	}
}

func readChunks(ctx context.Context, snapshot *store.Snapshot, into []byte) error {
	for _, info := range snapshot.Chunks(chunk.Both) {
		// Each goes to the beginning of a cache line, and the next over its end at most.
		n, err := snapshot.ReadChunk(ctx, info, nil, into[:info.Topology])
		if err != nil {
			return err
		}
		into = into[n/arena.Align*arena.Align:]
	}
	return nil
}

func readPlain(file string, into []byte) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	for len(into) > 0 {
		n, err := f.Read(into)
		if err != nil {
			return err
		}
		into = into[n:]
	}
	return nil
}
