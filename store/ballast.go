package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ballastSize is what a full disk can still be relieved with: what Badger needs to
// open, to note that a graph is dropped, and to compact its small tree of keys.
const ballastSize = 16 << 20

func (db *DB) ballast() string { return filepath.Join(db.dir, "BALLAST") }

// relieve sees to it that need bytes are free, by deleting the ballast if it must.
// What writes little, or gives space back, may call it.
func (db *DB) relieve(need uint64) error {
	full := checkSpace(db.dir, need)
	if full == nil {
		return nil
	}
	err := os.Remove(db.ballast())
	if errors.Is(err, fs.ErrNotExist) {
		return full
	}
	return errors.Join(err, checkSpace(db.dir, need))
}

// restoreBallast puts the ballast in place, unless the disk is small or nearly full.
// Its blocks must be there, not only its size. Should that fail, there is none.
func (db *DB) restoreBallast() {
	info, err := os.Stat(db.ballast())
	if err == nil && info.Size() == ballastSize {
		return
	}
	if checkSpace(db.dir, ballastSize+2*writeReserve) != nil {
		return
	}
	if err := reserve(db.ballast(), ballastSize); err != nil {
		_ = os.Remove(db.ballast())
	}
}
