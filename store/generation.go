package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"
)

// generation is one write on its way: what it has written so far is named by no
// manifest, so a sweep removes it, unless publish makes it a snapshot.
type generation struct {
	db     *DB
	graph  string
	number uint64
	items  atomic.Uint32 // columns begun

	batchBytes uint64 // how much is collected before it is handed to Badger

	mu      sync.Mutex // protects batch and pending
	batch   *badger.WriteBatch
	pending uint64 // bytes in batch
}

// write runs fill as the only writer and publishes the manifest that it returns as
// the graph's new snapshot. When anything fails, nothing of it stays.
func (db *DB) write(ctx context.Context, graph string, fill func(*generation) (*Manifest, error)) (*Manifest, error) {
	if err := db.acquire(ctx); err != nil {
		return nil, err
	}
	defer db.release()
	if err := checkSpace(db.dir, writeReserve); err != nil {
		return nil, err
	}
	number, err := db.nextGeneration()
	if err != nil {
		return nil, err
	}
	g := &generation{db: db, graph: graph, number: number, batchBytes: mostBatch, batch: db.badger.NewWriteBatch()}
	m, err := fill(g)
	if err == nil {
		err = g.publish(ctx, m)
	}
	g.batch.Cancel()
	tidyErr := db.tidy(context.WithoutCancel(ctx))
	if err != nil {
		return nil, errors.Join(err, tidyErr)
	}
	return m, nil // published: what could not be tidied up now will be by the next write
}

// acquire waits for the writer's token.
func (db *DB) acquire(ctx context.Context) error {
	select {
	case <-db.writer:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (db *DB) release() { db.writer <- struct{}{} }

// put stores a value; the caller must not touch it again.
func (g *generation) put(key, value []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pending > 0 && g.pending+uint64(len(value)) > g.batchBytes {
		if err := g.flush(); err != nil {
			return err
		}
	}
	g.pending += uint64(len(value))
	return g.batch.Set(key, value)
}

// flush hands the batch to Badger, if the disk has room for it. Callers hold g.mu.
func (g *generation) flush() error {
	if err := checkSpace(g.db.dir, g.pending+writeReserve); err != nil {
		return err
	}
	if err := g.batch.Flush(); err != nil {
		return diskFull(g.db.dir, err)
	}
	g.batch, g.pending = g.db.badger.NewWriteBatch(), 0
	return nil
}

// publish makes m the graph's snapshot, once all that it names is on the disk.
func (g *generation) publish(ctx context.Context, m *Manifest) error {
	if err := g.flush(); err != nil {
		return err
	}
	value, err := encodeManifest(m)
	if err != nil {
		return err
	}
	if err := errors.Join(ctx.Err(), g.db.badger.Sync()); err != nil {
		return err
	}
	key := graphKey(g.graph)
	err = g.db.badger.Update(func(txn *badger.Txn) error {
		return txn.Set(key, seal(key, value))
	})
	return errors.Join(err, g.db.badger.Sync())
}
