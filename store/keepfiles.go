package store

import (
	"context"
	"github.com/penstock-db/penstock/store/internal/space"
	"sync"
)

// filesInUse counts who has value logs mapped beside Badger, as a device has in whose
// process chunks are read in place. Badger empties a log before it removes it, and who
// reads there then is killed; so nothing is collected while anybody is counted. What was
// put off the last one does when it leaves, and until then nobody new comes in.
type filesInUse struct {
	mu     sync.Mutex // protects the fields below; held while Badger collects
	count  int
	owed   bool  // a collection was put off
	spare  int64 // what it may leave
	closed bool
}

// KeptFiles is one use of the files of a database: none of them becomes shorter than what
// is stored there until Release.
type KeptFiles struct {
	db   *DB
	once sync.Once
}

// KeepFiles has the files of the database stay as they are; nil while Badger needs to
// change them. Every use must be released, but a database may be closed before.
func (s *Snapshot) KeepFiles() *KeptFiles {
	f := &s.db.files
	if !f.mu.TryLock() {
		return nil
	}
	defer f.mu.Unlock()
	if f.owed || f.closed {
		return nil
	}
	f.count++
	return &KeptFiles{db: s.db}
}

// Wanted tells whether space waits for the release to be given back to the file system.
func (k *KeptFiles) Wanted() bool {
	k.db.files.mu.Lock()
	defer k.db.files.mu.Unlock()
	return k.db.files.owed
}

// Release ends the use. The last one may take as long as Badger takes to collect.
func (k *KeptFiles) Release() { k.once.Do(k.db.releaseFiles) }

func (db *DB) releaseFiles() {
	f := &db.files
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count--
	if f.count > 0 || !f.owed || f.closed {
		return
	}
	select {
	case <-db.writer:
		defer db.release()
		defer space.RestoreBallast(db.dir)
		_ = db.report(db.rewriteLogs(context.Background(), f.spare), f.spare) // should it fail, it stays owed
	default: // the writer does it at its end
	}
}

// collectLogs gives back the space of value logs, or leaves that to the last who uses them.
func (db *DB) collectLogs(ctx context.Context, spare int64) error {
	f := &db.files
	f.mu.Lock()
	defer f.mu.Unlock()
	f.owed, f.spare = true, spare
	if f.count > 0 {
		return nil
	}
	return db.rewriteLogs(ctx, spare)
}

// close waits for a collection under way; none begins afterwards.
func (f *filesInUse) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
}
