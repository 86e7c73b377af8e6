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

// sweepIfIdle sweeps unless a writer, who sweeps at its end, is at work. Should the
// sweep fail, the next one finds the same. The compactor gives the space back.
func (db *DB) sweepIfIdle() {
	if !db.writer.tryAcquire() {
		return
	}
	defer db.writer.release()
	if deleted, _ := db.sweep(context.Background()); deleted > 0 {
		db.compactor.notice()
	}
}
