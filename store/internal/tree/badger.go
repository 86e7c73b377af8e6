package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/penstock-db/penstock/store/internal/failure"
)

const (
	ValueThreshold   = 64 << 10
	ValueLogFileSize = 512 << 20                    // also the largest value
	MostValue        = ValueLogFileSize - (1 << 20) // leaves room for headers
	// LogEntries is how many values a log has, one more and those of its last batch, before Badger
	// begins the next. So many of the smallest are written to make it begin one.
	LogEntries = 63
)

// Badger is an open Badger, and what makes its commits last.
type Badger struct {
	*badger.DB
	dir      string // of its files
	synced   synced
	sequence sequence
}

// Open opens Badger in dir. Files that Badger cannot make sense of are a
// *DamagedError; some of them make it panic.
func Open(dir string, logger *slog.Logger) (b *Badger, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			b, err = nil, &failure.DamagedError{Kind: "files of the database", Number: -1, Err: fmt.Errorf("%v", cause)}
		}
	}()
	if err := removeStubs(dir); err != nil {
		return nil, err
	}
	db, err := badger.Open(badgerOptions(dir, logger))
	if err == nil {
		return &Badger{DB: db, dir: dir}, nil
	}
	var path *fs.PathError
	var errno syscall.Errno
	if errors.As(err, &path) || errors.As(err, &errno) {
		return nil, err
	}
	return nil, &failure.DamagedError{Kind: "files of the database", Number: -1, Err: err}
}

// badgerOptions suit few, large values that are read whole: no compression, no block
// cache, values above 64 KiB in the value log. Blocks of the tree, which hold keys and
// small values, are checked whenever they are read. Value logs have few entries, for one is
// only given back as a whole (see reclaim). Memtables are small because whoever
// opens the database after a crash fills one again, and may have little memory.
func badgerOptions(dir string, logger *slog.Logger) badger.Options {
	return badger.DefaultOptions(dir).
		WithLogger(badgerLog{logger}).
		WithSyncWrites(true). // a value before its key: rewriting a log, Badger has keys lead to copies
		WithValueThreshold(ValueThreshold).
		WithCompression(options.None).
		WithChecksumVerificationMode(options.OnBlockRead).
		WithBlockCacheSize(0).
		WithMemTableSize(4 << 20).
		WithValueLogFileSize(ValueLogFileSize).
		WithValueLogMaxEntries(LogEntries).
		WithNumMemtables(2).
		WithNumCompactors(2).
		WithCompactL0OnClose(true).
		WithBypassLockGuard(true). // directory.Lock guards it, and Unlock is not late where a process begins
		WithMetricsEnabled(false).
		WithDetectConflicts(false)
}

// removeStubs removes the empty log files that a process leaves when it is killed
// between creating one and giving it its size: Badger takes them for an error. There
// is nothing in them.
func removeStubs(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if ext := filepath.Ext(entry.Name()); ext != ".mem" && ext != ".vlog" {
			continue
		}
		info, err := entry.Info()
		if err == nil && info.Size() == 0 {
			err = os.Remove(filepath.Join(dir, entry.Name()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
