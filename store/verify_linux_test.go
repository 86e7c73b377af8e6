package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/penstock-db/penstock/store/internal/directory"
)

// A table that Badger is still writing is no damage: MANIFEST does not name it yet.
func TestVerifyFiles_TableBeingWritten(t *testing.T) {
	dir, _ := proofDatabase(t)
	reopen(t, dir, func(db *DB) {
		must(t, os.WriteFile(filepath.Join(dir, directory.DataDir, "099999.sst"), make([]byte, 1000), 0o600))
		damage, _, err := db.VerifyFiles(t.Context(), 0)
		must(t, err)
		for _, d := range damage {
			t.Error(d)
		}
	})
}

// Badger empties a file before it removes it. What is read between the two is no damage.
func TestVerifyFiles_TableBeingRemoved(t *testing.T) {
	dir, _ := proofDatabase(t)
	tables, err := filepath.Glob(filepath.Join(dir, directory.DataDir, "*.sst"))
	must(t, err)
	if len(tables) == 0 {
		t.Fatal("the database has no table")
	}
	db, err := Open(dir, Options{})
	must(t, err)
	whole, err := os.ReadFile(tables[0])
	must(t, err)
	must(t, os.Rename(tables[0], tables[0]+".kept")) // Badger has it mapped: it stays as it is
	must(t, os.WriteFile(tables[0], nil, 0o600))
	removed := make(chan error, 1)
	go func() {
		time.Sleep(100 * time.Millisecond)
		removed <- os.Remove(tables[0])
	}()
	damage, _, err := db.VerifyFiles(t.Context(), 0)
	must(t, err)
	for _, d := range damage {
		t.Error(d)
	}
	must(t, <-removed)
	must(t, os.WriteFile(tables[0], whole, 0o600))
	must(t, os.Remove(tables[0]+".kept"))
	must(t, db.Close())
}
