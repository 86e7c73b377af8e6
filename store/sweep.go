package store

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
)

// sweep deletes every chunk and block that neither a current nor a pinned manifest
// names: what a replaced or dropped snapshot leaves behind, and what a failed or
// killed write had stored. Only the holder of the writer's token may call it (or
// Open): otherwise it would take a write on its way for rubbish. While a manifest cannot be read, or the tree does not
// name the graphs that the catalog names, nothing is swept: an iterator of Badger's that meets damage just ends.
// It returns how many values it has deleted.
func (db *DB) sweep(ctx context.Context) (deleted int, err error) {
	live, err := db.live()
	if damaged := (*DamagedError)(nil); errors.As(err, &damaged) {
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
	if err := db.relieve(openReserve); err != nil {
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

// tidy sweeps and, when there was something to sweep, gives its space back; and what
// was to be given back before.
func (db *DB) tidy(ctx context.Context) error {
	deleted, err := db.sweep(ctx)
	if err != nil || deleted == 0 && !db.files.owesSpace() {
		return err
	}
	return db.reclaim(ctx)
}

// live are the pieces, and the logs, that some current or pinned manifest names.
func (db *DB) live() (map[piece]bool, error) {
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
	live := map[piece]bool{}
	for _, m := range all {
		for p := range m.pieces() {
			live[p] = true
		}
		live[logPiece(m.log())] = true
	}
	return live, nil
}

// inCatalog fails unless the catalog names exactly these snapshots.
func (db *DB) inCatalog(all []*Manifest) error {
	named := db.catalog.Snapshots()
	for _, m := range all {
		if named[m.Graph] != m.ID {
			return &DamagedError{Graph: m.Graph, Kind: "manifest", Number: -1, Err: errUncatalogued}
		}
		delete(named, m.Graph)
	}
	for name := range named {
		return &DamagedError{Graph: name, Kind: "manifest", Number: -1, Err: errMissing}
	}
	return nil
}

// unnamed are the keys of all pieces and logs that are not live.
func (db *DB) unnamed(ctx context.Context, live map[piece]bool) (keys [][]byte, err error) {
	err = db.badger.View(func(txn *badger.Txn) error {
		for _, prefix := range []byte{dataPrefix, logPrefix} {
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
func pieceOf(key []byte) (p piece, ok bool) {
	if log, _, _, ok := parseLogKey(key); ok {
		return logPiece(log), true
	}
	p, _, ok = parseDataKey(key)
	return p, ok
}

// CollectGarbage deletes what no snapshot names and gives its space back to the file
// system. Badger never rewrites the value log file that it appends to, so up to
// 512 MiB stay until the database is opened the next time. While devices read in the files
// (see KeepFiles) their space is not given back, but when the last of them ends.
func (db *DB) CollectGarbage(ctx context.Context) error {
	if err := db.acquire(ctx); err != nil {
		return err
	}
	defer db.release()
	if _, err := db.sweep(ctx); err != nil {
		return err
	}
	return db.reclaim(ctx)
}

// reclaim makes Badger rewrite its value log. Badger counts a deleted value as
// reclaimable only when its key is compacted away, and it compacts nothing while the
// tree is small; dropping a prefix forces that.
func (db *DB) reclaim(ctx context.Context) error {
	if err := db.relieve(openReserve); err != nil {
		return err
	}
	db.dropping.Lock()
	defer db.dropping.Unlock()
	dummy := []byte{dummyPrefix}
	err := db.badger.Update(func(txn *badger.Txn) error { return txn.Set(dummy, []byte{1}) })
	if err != nil {
		return err
	}
	if err := db.noteReads(); err != nil {
		return err
	}
	if err := db.badger.DropPrefix(dummy); err != nil {
		return err
	}
	return db.collectLogs(ctx)
}

// readMarks is how many beginnings and ends of transactions Badger keeps in a queue before
// it takes notice of them (its y.WaterMark).
const readMarks = 100

// noteReads has Badger take notice that nobody reads what was deleted just now: a compaction
// keeps it otherwise, and then its space stays. Each transaction pushes two marks through the queue.
func (db *DB) noteReads() error {
	for range 1 + readMarks/2 {
		if err := db.badger.View(func(*badger.Txn) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// rewriteLogs has Badger rewrite its value logs, each as long as a third of it is rubbish.
// Nobody may use them, so it needs db.files.mu.
func (db *DB) rewriteLogs(ctx context.Context) error {
	for ctx.Err() == nil {
		need, err := rewriteSpace(filepath.Join(db.dir, dataDir))
		if err == nil {
			err = db.relieve(need + openReserve)
		}
		if err != nil {
			return err
		}
		err = db.badger.RunValueLogGC(0.3)
		if errors.Is(err, badger.ErrNoRewrite) {
			db.files.owed = false
			return nil
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
