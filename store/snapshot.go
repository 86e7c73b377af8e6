package store

import (
	"context"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"sync"
)

// Snapshot is one immutable state of a graph. What it names stays in the database
// until Close, even when the graph is replaced or dropped meanwhile. Its methods may
// be called from several goroutines.
type Snapshot struct {
	db       *DB
	manifest *manifest.Manifest
	close    sync.Once
	direct   directReads
}

// Snapshot opens the current snapshot of a graph. The caller must Close it.
//
// Errors: *UnknownGraphError, *DamagedError.
func (db *DB) Snapshot(graph string) (*Snapshot, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	m, err := db.current(graph)
	if err != nil {
		return nil, err
	}
	db.pins[m] = struct{}{}
	return &Snapshot{db: db, manifest: m}, nil
}

// Manifest describes the snapshot. It must not be changed.
func (s *Snapshot) Manifest() *manifest.Manifest { return s.manifest }

// Close lets go of the snapshot. When it was the last that named some data, that is
// deleted now or, if somebody is writing, when that write ends.
func (s *Snapshot) Close() {
	s.close.Do(func() {
		s.db.mu.Lock()
		delete(s.db.pins, s.manifest)
		s.db.mu.Unlock()
		s.db.sweepIfIdle()
		s.direct.close()
	})
}

// sweepIfIdle sweeps unless a writer, who sweeps at its end, is at work. Should the
// sweep fail, the next one finds the same. The compactor gives the space back.
func (db *DB) sweepIfIdle() {
	select {
	case <-db.writer:
		defer db.release()
		if deleted, _ := db.sweep(context.Background()); deleted > 0 {
			db.compactor.notice()
		}
	default:
	}
}
