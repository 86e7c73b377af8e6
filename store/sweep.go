package store

import (
	"context"
	"errors"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/space"
)

// sweep deletes every chunk and block that neither a current nor a pinned manifest
// names: what a replaced or dropped snapshot leaves behind, and what a failed or
// killed write had stored. Only the holder of the writer's token may call it (or
// Open): otherwise it would take a write on its way for rubbish. While a manifest cannot be read, or the tree does not
// name the graphs that the catalog names, nothing is swept: an iterator of Badger's that meets damage just ends.
// It returns how many values it has deleted.
func (db *DB) sweep(ctx context.Context) (deleted int, err error) {
	live, err := db.live()
	if damaged := (*failure.DamagedError)(nil); errors.As(err, &damaged) {
		db.logger.Error("nothing is swept: the database is damaged", "error", err)
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	rubbish, err := db.unnamed(ctx, live)
	if err != nil || len(rubbish) == 0 {
		return 0, err
	}
	if err := space.Relieve(db.dir, space.OpenReserve); err != nil {
		return 0, err
	}
	batch := db.badger.NewWriteBatch()
	defer batch.Cancel()
	for _, key := range rubbish {
		if err := batch.Delete(key); err != nil {
			return 0, err
		}
	}
	return len(rubbish), batch.Flush()
}

// tidy sweeps, and gives space back when more than spareSpace is wasted.
func (db *DB) tidy(ctx context.Context) error {
	if _, err := db.sweep(ctx); err != nil {
		return err
	}
	return db.reclaim(ctx, spareSpace)
}

// live are the pieces, and the logs, that some current or pinned manifest names.
func (db *DB) live() (map[layout.Piece]bool, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	all, err := db.Graphs()
	if err != nil {
		return nil, err
	}
	if err := db.inCatalog(all); err != nil {
		return nil, err
	}
	for m := range db.pins {
		all = append(all, m)
	}
	live := map[layout.Piece]bool{}
	for _, m := range all {
		for p := range m.Pieces() {
			live[p] = true
		}
		live[layout.LogPiece(m.LogID())] = true
	}
	return live, nil
}

// inCatalog fails unless the catalog names exactly these snapshots.
func (db *DB) inCatalog(all []*manifest.Manifest) error {
	named := db.catalog.Snapshots()
	for _, m := range all {
		if named[m.Graph] != m.ID {
			return &failure.DamagedError{Graph: m.Graph, Kind: "manifest", Number: -1, Err: errUncataloged}
		}
		delete(named, m.Graph)
	}
	for name := range named {
		return &failure.DamagedError{Graph: name, Kind: "manifest", Number: -1, Err: layout.ErrMissing}
	}
	return nil
}

// unnamed are the keys of all pieces and logs that are not live.
func (db *DB) unnamed(ctx context.Context, live map[layout.Piece]bool) (keys [][]byte, err error) {
	err = db.badger.View(func(txn *badger.Txn) error {
		for _, prefix := range []byte{layout.DataPrefix, layout.LogPrefix} {
			it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{prefix}})
			for it.Rewind(); it.Valid(); it.Next() {
				if p, ok := pieceOf(it.Item().Key()); !ok || !live[p] {
					keys = append(keys, it.Item().KeyCopy(nil))
				}
			}
			it.Close()
		}
		return ctx.Err()
	})
	return keys, err
}

// pieceOf is the piece that a key belongs to, or the log.
func pieceOf(key []byte) (p layout.Piece, ok bool) {
	if log, _, _, ok := layout.ParseLogKey(key); ok {
		return layout.LogPiece(log), true
	}
	p, _, ok = layout.ParseDataKey(key)
	return p, ok
}

// CollectGarbage deletes what no snapshot names and gives its space back to the file
// system. While devices read in the files (see KeepFiles) their space is not given back,
// but when the last of them ends.
//
// Errors: *DamagedError, when a value log cannot be rewritten for a bad checksum; *DiskFullError.
func (db *DB) CollectGarbage(ctx context.Context) error {
	if err := db.acquire(ctx); err != nil {
		return err
	}
	defer db.release()
	if _, err := db.sweep(ctx); err != nil {
		return err
	}
	return db.reclaim(ctx, 0)
}

// errUncataloged is of a manifest in the tree.
var errUncataloged = errors.New("the catalog names another snapshot, or none")
