package store

import (
	"context"
	"errors"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/space"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// writing is a write by the holder of the writer's token.
type writing struct {
	*generation.Generation
	holds *transaction.Graph // which no transaction commits to meanwhile; nil: none
}

// write runs fill as the only writer and publishes the manifest that it returns as
// the graph's new snapshot. When anything fails, nothing of it stays.
func (db *DB) write(ctx context.Context, graph string,
	fill func(*writing) (*manifest.Manifest, error)) (m *manifest.Manifest, err error) {
	err = db.generate(ctx, graph, func(g *writing) error {
		if m, err = fill(g); err == nil {
			err = db.publish(ctx, g, m)
		}
		if g.holds != nil {
			g.holds.Release()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// generate runs store, which writes a generation, as the only writer. What no manifest names afterwards is deleted.
func (db *DB) generate(ctx context.Context, graph string, store func(*writing) error) error {
	if err := db.acquire(ctx); err != nil {
		return err
	}
	defer db.release()
	if err := space.Check(db.dir, space.WriteReserve); err != nil {
		return err
	}
	number, err := db.badger.NextGeneration()
	if err != nil {
		return err
	}
	g := &writing{Generation: generation.New(db.badger, db.dir, db.mem, graph, number)}
	err = store(g)
	err = space.DiskFull(db.dir, errors.Join(err, g.Abandon()))
	tidyErr := db.tidy(context.WithoutCancel(ctx))
	if err != nil {
		return errors.Join(err, tidyErr)
	}
	return nil // stored: what could not be tidied up now will be by the next write
}

// acquire waits for the writer's token.
func (db *DB) acquire(ctx context.Context) error {
	if db.readOnly {
		return &failure.ReadOnlyError{Dir: db.dir, Damaged: len(db.Damage()) > 0}
	}
	return db.writer.acquire(ctx)
}

// publish makes m the graph's snapshot, once all that it names is on the disk.
func (db *DB) publish(ctx context.Context, g *writing, m *manifest.Manifest) error {
	if err := g.FlushAll(); err != nil {
		return err
	}
	if err := errors.Join(ctx.Err(), db.badger.SyncAll()); err != nil {
		return err
	}
	return db.graphs.Publish(ctx, m, g.holds, func() error {
		m.Created = time.Now().UTC() // between the commits before and those after
		return db.putManifest(m)
	})
}

// putManifest returns when m is on the disk.
func (db *DB) putManifest(m *manifest.Manifest) error {
	value, err := manifest.Encode(m)
	if err != nil {
		return err
	}
	key := layout.GraphKey(m.Graph)
	return db.catalog.Change(catalog.Graph{Name: m.Graph, Snapshot: m.ID, Manifest: value}, func() (bool, error) {
		return db.badger.Commit(db.badger.SyncAll, func(txn *badger.Txn) error {
			return txn.Set(key,
				layout.Seal(key, value))
		})
	})
}
