package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/space"
)

// generation is one write on its way: what it has written so far is named by no
// manifest, so a sweep removes it, unless publish makes it a snapshot.
type generation struct {
	db     *DB
	graph  string
	number uint64
	items  atomic.Uint32 // columns begun

	holds *graph // which no transaction commits to meanwhile; nil: none

	batchBytes uint64 // how much may be on its way to Badger: half is collected, half written

	mu       sync.Mutex // protects the following
	batch    *badger.WriteBatch
	pending  uint64     // bytes in batch
	borrowed [][]byte   // values in batch that borrow has made
	writing  chan error // nil: no batch is being written
}

// write runs fill as the only writer and publishes the manifest that it returns as
// the graph's new snapshot. When anything fails, nothing of it stays.
func (db *DB) write(ctx context.Context, graph string, fill func(*generation) (*Manifest, error)) (*Manifest, error) {
	if err := db.acquire(ctx); err != nil {
		return nil, err
	}
	defer db.release()
	if err := space.Check(db.dir, space.WriteReserve); err != nil {
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
	if g.holds != nil {
		g.holds.release()
	}
	err = errors.Join(err, g.abandon())
	tidyErr := db.tidy(context.WithoutCancel(ctx))
	if err != nil {
		return nil, errors.Join(err, tidyErr)
	}
	return m, nil // published: what could not be tidied up now will be by the next write
}

// acquire waits for the writer's token.
func (db *DB) acquire(ctx context.Context) error {
	if db.readOnly {
		return &failure.ReadOnlyError{Dir: db.dir, Damaged: len(db.damage) > 0}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-db.writer:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (db *DB) release() { db.writer <- struct{}{} }

// put stores a value; the caller must not touch it again.
func (g *generation) put(key, value []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.add(key, value)
}

// putBorrowed is put for a value that borrow has made and others may have afterwards.
func (g *generation) putBorrowed(key, value []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.add(key, value)
	g.borrowed = append(g.borrowed, value)
	return err
}

// add is put while g.mu is held.
func (g *generation) add(key, value []byte) error {
	if g.pending > 0 && g.pending+uint64(len(value)) > g.batchBytes/2 {
		if err := g.flush(); err != nil {
			return err
		}
	}
	g.pending += uint64(len(value))
	return g.batch.Set(key, value)
}

// flush begins to write the batch once the one before is written. Callers hold g.mu.
func (g *generation) flush() error {
	if err := g.written(); err != nil {
		return err
	}
	batch, bytes, borrowed, writing := g.batch, g.pending, g.borrowed, make(chan error, 1)
	g.batch, g.pending, g.borrowed, g.writing = g.db.badger.NewWriteBatch(), 0, nil, writing
	go func() {
		writing <- g.hand(batch, bytes)
		for i := range borrowed {
			scratches.Put(&borrowed[i])
		}
	}()
	return nil
}

// hand hands a batch to Badger, if the disk has room for it.
func (g *generation) hand(batch *badger.WriteBatch, bytes uint64) error {
	defer batch.Cancel()
	if err := space.Check(g.db.dir, bytes+space.WriteReserve); err != nil {
		return err
	}
	return space.DiskFull(g.db.dir, batch.Flush())
}

// flushAll returns when everything that was put is written.
func (g *generation) flushAll() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.flush(); err != nil {
		return err
	}
	return g.written()
}

// written waits until no batch is being written. Callers hold g.mu.
func (g *generation) written() error {
	if g.writing == nil {
		return nil
	}
	err := <-g.writing
	g.writing = nil
	return err
}

// abandon lets go of what has been collected.
func (g *generation) abandon() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.batch.Cancel()
	return g.written()
}

// publish makes m the graph's snapshot, once all that it names is on the disk.
func (g *generation) publish(ctx context.Context, m *Manifest) error {
	if err := g.flushAll(); err != nil {
		return err
	}
	if err := errors.Join(ctx.Err(), g.db.sync()); err != nil {
		return err
	}
	return g.db.graphs.publish(ctx, g.db, m, g.holds, func() error {
		m.Created = time.Now().UTC() // between the commits before and those after
		return g.db.putManifest(m)
	})
}

// putManifest returns when m is on the disk.
func (db *DB) putManifest(m *Manifest) error {
	value, err := encodeManifest(m)
	if err != nil {
		return err
	}
	key := layout.GraphKey(m.Graph)
	return db.catalog.Change(catalog.Graph{Name: m.Graph, Snapshot: m.ID, Manifest: value}, func() (bool, error) {
		return db.commit(db.sync, func(txn *badger.Txn) error { return txn.Set(key, layout.Seal(key, value)) })
	})
}
