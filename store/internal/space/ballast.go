package space

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// BallastSize is what a full disk can still be relieved with: what Badger needs to
// open, to note that a graph is dropped, and to compact its small tree of keys.
const BallastSize = 16 << 20

func ballast(dir string) string { return filepath.Join(dir, "BALLAST") }

// OwnMerges is what Badger may take to merge tables in the background.
const OwnMerges = 12 << 20

// Relieve sees to it that need bytes are free, and as much as Badger may take meanwhile to merge its tables by itself.
// If they are not, it deletes the ballast; then need bytes must do. What writes little, or gives space back, may call
// it.
func Relieve(dir string, need uint64) error {
	if Check(dir, need+OwnMerges) == nil {
		return nil
	}
	err := os.Remove(ballast(dir))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, Check(dir, need))
}

// RestoreBallast puts the ballast in place, unless the disk is small or nearly full.
// Its blocks must be there, not only its size. Should that fail, there is none.
func RestoreBallast(dir string) {
	info, err := os.Stat(ballast(dir))
	if err == nil && info.Size() == BallastSize {
		return
	}
	if Check(dir, BallastSize+2*WriteReserve) != nil {
		return
	}
	if err := reserve(ballast(dir), BallastSize); err != nil {
		_ = os.Remove(ballast(dir))
	}
}
