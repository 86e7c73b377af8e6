package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/penstock-db/penstock/store/internal/failure"
)

const (
	valueThreshold   = 64 << 10
	valueLogFileSize = 512 << 20                    // also the largest value
	mostValue        = valueLogFileSize - (1 << 20) // leaves room for headers
)

// openBadger opens Badger in dir. Files that Badger cannot make sense of are a
// *DamagedError; some of them make it panic.
func openBadger(dir string, logger *slog.Logger) (db *badger.DB, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			db, err = nil, &failure.DamagedError{Kind: "files of the database", Number: -1, Err: fmt.Errorf("%v", cause)}
		}
	}()
	if err := removeStubs(dir); err != nil {
		return nil, err
	}
	db, err = badger.Open(badgerOptions(dir, logger))
	if err == nil {
		return db, nil
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
		WithValueThreshold(valueThreshold).
		WithCompression(options.None).
		WithChecksumVerificationMode(options.OnBlockRead).
		WithBlockCacheSize(0).
		WithMemTableSize(4 << 20).
		WithValueLogFileSize(valueLogFileSize).
		WithValueLogMaxEntries(logEntries).
		WithNumMemtables(2).
		WithNumCompactors(2).
		WithCompactL0OnClose(true).
		WithMetricsEnabled(false).
		WithDetectConflicts(false)
}
