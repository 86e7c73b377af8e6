package store

import (
	"context"
	"errors"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/space"
)

// Drop removes a graph in one step and gives its space back to the file system, as
// far as no open Snapshot needs it (see CollectGarbage). It works on a full disk. A
// *DiskFullError says that the graph is gone, but its space cannot be given back, for
// want of space to copy what other graphs have in the same value log.
//
// Errors: *UnknownGraphError, *DiskFullError.
func (db *DB) Drop(ctx context.Context, graph string) error {
	if err := db.acquire(ctx); err != nil {
		return err
	}
	defer db.release()
	var damaged *failure.DamagedError
	m, err := db.current(graph)
	if err != nil && !errors.As(err, &damaged) {
		return err
	}
	changed, err := db.HasChanges(graph)
	if err != nil && !errors.As(err, &damaged) {
		return err
	}
	if err := space.Relieve(db.dir, space.OpenReserve); err != nil {
		return err
	}
	defer space.RestoreBallast(db.dir)
	err = db.graphs.Drop(ctx, graph, func() error {
		return db.catalog.Change(catalog.Graph{Name: graph}, func() (bool, error) {
			return db.badger.Commit(db.badger.SyncAll, func(txn *badger.Txn) error { return txn.Delete(layout.GraphKey(graph)) })
		})
	})
	if err != nil {
		return space.DiskFull(db.dir, err)
	}
	if _, err := db.sweep(ctx); err != nil {
		return err
	}
	if changed {
		err = db.dropLog(m.LogID())
	}
	return errors.Join(err, db.reclaimer.Reclaim(ctx, 0))
}

// CreateGraph makes an empty directed graph, to be filled by transactions. Its nodes have no
// ids of the user's.
//
// Errors: *GraphNameError, *GraphExistsError, *DiskFullError.
func (db *DB) CreateGraph(ctx context.Context, graph string) error {
	if err := checkName(graph); err != nil {
		return err
	}
	_, err := db.write(ctx, graph, func(g *writing) (*manifest.Manifest, error) {
		_, found := db.current(graph)
		if err := checkReplace(graph, found, false); err != nil {
			return nil, err
		}
		zero := int64(0)
		return &manifest.Manifest{
			Version: manifest.Version, ID: g.Number, Log: g.Number, Graph: graph, Anonymous: true,
			Directed: true,
			Order:    manifest.Ordering{Asked: manifest.OrderNone, Taken: manifest.OrderNone, Why: "it was created empty"},
			IDs:      manifest.IDs{Kind: manifest.IntegerIDs, Base: &zero},
		}, nil
	})
	return err
}
