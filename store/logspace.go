package store

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// valueLog is what one of Badger's value logs takes on the disk, and what of it is live: a
// value is live while its key leads to it.
type valueLog struct {
	number uint64
	size   int64 // in blocks that are allocated: the newest log is a sparse file
	live   int64
	end    int64 // where the last live value ends
}

func (l valueLog) waste() int64 { return max(0, l.size-l.live) }

// valueLogs are all value logs of a database, in the order in which they were begun. Badger
// appends to the last.
type valueLogs []valueLog

func (logs valueLogs) live() (total int64) {
	for _, l := range logs {
		total += l.live
	}
	return total
}

func (logs valueLogs) waste() (total int64) {
	for _, l := range logs {
		total += l.waste()
	}
	return total
}

// valueLogs counts what is live by reading all keys. Badger has a count of its own, which grows
// only when tables are compacted, and may be lost in a crash.
func (db *DB) valueLogs() (logs valueLogs, err error) {
	dir := filepath.Join(db.dir, dataDir)
	numbers, err := tree.LogNumbers(dir)
	if err != nil {
		return nil, err
	}
	db.rewritten.Range(func(n, _ any) bool {
		if !slices.Contains(numbers, n.(uint64)) {
			db.rewritten.Delete(n)
		}
		return true
	})
	at := map[uint64]int{}
	for _, n := range numbers {
		if _, gone := db.rewritten.Load(n); gone {
			continue
		}
		info, err := os.Stat(tree.LogPath(dir, n))
		if os.IsNotExist(err) {
			continue // Badger has just removed it
		}
		if err != nil {
			return nil, err
		}
		at[n] = len(logs)
		logs = append(logs, valueLog{number: n, size: allocated(info)})
	}
	err = db.badger.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			p, ok := tree.PointerOf(it.Item())
			i, known := at[p.Log]
			if !ok || !known || it.Item().Key()[0] == layout.DummyPrefix {
				continue
			}
			logs[i].live += p.Length
			logs[i].end = max(logs[i].end, p.Offset+p.Length)
		}
		return nil
	})
	return logs, err
}

// allocated is what a file takes on the disk.
func allocated(info os.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return min(info.Size(), stat.Blocks*512)
	}
	return info.Size()
}

// Space is what a database takes on the disk, in bytes.
type Space struct {
	Live   int64 // of values in value logs that graphs and open snapshots need
	Logs   int64 // all value logs
	Tables int64 // keys and small values
}

// Space tells what the database takes on the disk now. Of the value logs at most Live/2 + 32 MiB
// are waste, once what was written or closed last is tidied up.
//
// Errors: *ReadOnlyError.
func (db *DB) Space() (s Space, err error) {
	if db.readOnly {
		return Space{}, &failure.ReadOnlyError{Dir: db.dir, Damaged: len(db.damage) > 0}
	}
	logs, err := db.valueLogs()
	if err != nil {
		return Space{}, err
	}
	tables, err := tree.TableBytes(filepath.Join(db.dir, dataDir))
	s.Live, s.Tables = logs.live(), int64(tables)
	for _, l := range logs {
		s.Logs += l.size
	}
	return s, err
}
