package store

import (
	"context"

	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// Snapshot opens the current snapshot of a graph. The caller must Close it.
//
// Errors: *UnknownGraphError, *DamagedError.
func (db *DB) Snapshot(graph string) (*snapshot.Snapshot, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	m, err := db.current(graph)
	if err != nil {
		return nil, err
	}
	return db.pin(m), nil
}

// pin keeps what m names until the snapshot is closed. Callers hold db.mu.
func (db *DB) pin(m *manifest.Manifest) *snapshot.Snapshot {
	db.pins[m] = struct{}{}
	return db.reader.Open(m, func() {
		db.mu.Lock()
		delete(db.pins, m)
		db.mu.Unlock()
		db.sweepIfIdle()
	})
}

// sweepIfIdle sweeps, unless somebody has the writer's token, who does it when giving that back (release). Should the
// sweep fail, the next one finds the same. The compactor gives the space back.
func (db *DB) sweepIfIdle() {
	db.unswept.Store(true)
	for db.unswept.Load() && db.writer.tryAcquire() {
		db.unswept.Store(false)
		deleted, _ := db.sweep(context.Background())
		db.writer.release()
		if deleted > 0 {
			db.compactor.notice()
		}
	}
}

// release gives the writer's token back, and sweeps if a snapshot was closed meanwhile.
func (db *DB) release() {
	db.writer.release()
	if db.unswept.Load() {
		db.sweepIfIdle()
	}
}
