package tree

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/penstock-db/penstock/internal/durable"
)

// Badger syncs what it writes, values before the keys that lead to them (badgerOptions). Two things it leaves open:
// the name of a new log of a memtable, without which the log is lost; and whether a value log could be synced,
// which it only logs. SyncNames sees to the first, SyncAll to both.

// synced is what is known to be on the disk. Numbers only grow.
type synced struct {
	memtable atomic.Uint64 // the newest log of a memtable whose name is there
	log      atomic.Uint64 // the value log before which all are there
}

// SyncAll returns when all keys and values that were written are on the disk.
func (b *Badger) SyncAll() error {
	dir := b.dir
	logs, err := LogNumbers(dir)
	if err != nil {
		return err
	}
	from := b.synced.log.Load()
	for _, number := range logs {
		if number < from {
			continue
		}
		if err := syncFile(LogPath(dir, number)); err != nil {
			return err
		}
		raise(&b.synced.log, number)
	}
	return b.SyncNames()
}

// SyncNames returns when all keys that were written are on the disk.
func (b *Badger) SyncNames() error {
	dir := b.dir
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	newest := uint64(0)
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".mem"); ok {
			if n, err := strconv.ParseUint(name, 10, 64); err == nil {
				newest = max(newest, n)
			}
		}
	}
	if newest <= b.synced.memtable.Load() {
		return nil
	}
	err = durable.SyncDir(dir)
	if err == nil {
		raise(&b.synced.memtable, newest)
	}
	return err
}

// raise has n be at least to.
func raise(n *atomic.Uint64, to uint64) {
	for old := n.Load(); old < to && !n.CompareAndSwap(old, to); {
		old = n.Load()
	}
}

// syncFile syncs a log. One that Badger has removed meanwhile is in another.
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
