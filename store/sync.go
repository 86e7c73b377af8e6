package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/internal/durable"
)

// sync returns when all that was written to the tree is on the disk, or says why it is not. Badger's own syncs are
// not enough: they leave out logs that have been filled since the last time, and the names of new ones, and when
// one of a value log fails, that is only logged.
func (db *DB) sync() error {
	dir := filepath.Join(db.dir, dataDir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	from, newest := db.syncedLog.Load(), uint64(0)
	for _, e := range entries {
		stem, kind, _ := strings.Cut(e.Name(), ".")
		number, err := strconv.ParseUint(stem, 10, 32)
		if err != nil || kind != "mem" && (kind != "vlog" || number < from) {
			continue
		}
		if kind == "vlog" {
			newest = max(newest, number)
		}
		if err := syncFile(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	if err := durable.SyncDir(dir); err != nil {
		return err
	}
	for old := from; old < newest && !db.syncedLog.CompareAndSwap(old, newest); {
		old = db.syncedLog.Load()
	}
	return nil
}

// syncFile syncs a log. One that Badger has removed meanwhile is in a table, or in another log.
func syncFile(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
