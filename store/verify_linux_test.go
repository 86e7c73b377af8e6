package store

import (
	"os"
	"path/filepath"
	"testing"

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
