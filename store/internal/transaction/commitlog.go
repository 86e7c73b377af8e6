package transaction

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/space"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// A commit is one value, its head, in which its changes are too when they are few:
//
//	number of parts + timed | time | changes, if there are no parts
//
// The time is that of the commit, in nanoseconds since 1970; commits of manifest versions
// before 3 have none, and no timed.
//
// Many changes are cut in parts, which are on the disk before the head is written. So a
// commit is in the log whole, from the moment on when its head is, or not at all. Parts that
// a killed process has left without a head go with the log, or under the next commit's.
const (
	headBytes = tree.ValueThreshold - 1<<10 // a larger value would not lie beside its key
	partBytes = 1 << 20
)

// Log is where the commits of all graphs are logged.
type Log struct {
	badger *tree.Badger
	dir    string // of the database: what is free on its disk bounds what is logged
	view   func(look func(tree.Tree) error) error
	// Dropping is held while Badger refuses to write.
	Dropping sync.RWMutex
}

// NewLog is the log of a database in dir, whose trees view shows.
func NewLog(dir string, view func(look func(tree.Tree) error) error) *Log {
	return &Log{dir: dir, view: view}
}

// Open has commits logged in b; until then they can be read.
func (l *Log) Open(b *tree.Badger) { l.badger = b }

// Append logs a commit and returns when it is on the disk. m is the graph's manifest,
// which is written anew if it is of a version without logs.
func (l *Log) Append(graph string, log, number uint64, changes []byte) error {
	l.Dropping.RLock()
	defer l.Dropping.RUnlock()
	release, err := space.Reserve(l.dir, uint64(len(changes)))
	if err != nil {
		return err
	}
	defer release()
	parts := uint64(0)
	if len(changes) > headBytes {
		if parts, err = l.putParts(log, number, changes); err != nil {
			return space.DiskFull(l.dir, err)
		}
		changes = nil
	}
	head := layout.AppendHead(parts, time.Now())
	head = append(head, changes...)
	key := layout.LogKey(log, number, 0)
	_, err = l.badger.Commit(l.badger.SyncNames, func(txn *badger.Txn) error {
		return errors.Join(l.upgradeManifest(txn, graph), txn.Set(key, layout.Seal(key, head)))
	})
	return space.DiskFull(l.dir, err)
}

// putParts stores changes in parts and returns their number when they are on the disk.
func (l *Log) putParts(log, number uint64, changes []byte) (parts uint64, err error) {
	batch := l.badger.NewWriteBatch()
	defer batch.Cancel()
	for len(changes) > 0 {
		parts++
		part := changes[:min(partBytes, len(changes))]
		changes = changes[len(part):]
		key := layout.LogKey(log, number, uint32(parts))
		if err := batch.Set(key, layout.Seal(key, part)); err != nil {
			return 0, err
		}
	}
	return parts, errors.Join(batch.Flush(), l.badger.SyncAll())
}

// upgradeManifest keeps programs that know nothing of logs from a graph that has one.
func (l *Log) upgradeManifest(txn *badger.Txn, graph string) error {
	m, err := manifest.Read(l.badger.Tree(txn), graph)
	if err != nil || m.Version == manifest.Version {
		return err
	}
	m.Version, m.Log = manifest.Version, m.LogID()
	value, err := manifest.Encode(m)
	if err != nil {
		return err
	}
	return txn.Set(layout.GraphKey(graph), layout.Seal(layout.GraphKey(graph), value))
}

// Each yields the changes of all commits of a log, the oldest first. They are numbered without gaps.
func (l *Log) Each(ctx context.Context, graph string, log uint64, yield func(number uint64, changes []byte) error) error {
	return l.view(func(t tree.Tree) error {
		last := uint64(0)
		return EachCommit(t, graph, log, func(number uint64) error {
			if number != last+1 {
				return &failure.DamagedError{Graph: graph, Kind: "log, commit", Number: int64(last + 1), Err: layout.ErrMissing}
			}
			last = number
			changes, err := readCommit(t, log, number)
			if err != nil {
				return &failure.DamagedError{Graph: graph, Kind: "log, commit", Number: int64(number), Err: err}
			}
			return errors.Join(ctx.Err(), yield(number, changes))
		})
	})
}

// EachCommit yields the numbers of the commits in a log, ascending.
func EachCommit(t tree.Tree, graph string, log uint64, yield func(number uint64) error) error {
	var failed error
	err := t.EachKey(layout.LogKey(log, 0, 0)[:layout.LogPrefixSize], func(key []byte) error {
		if _, number, part, ok := layout.ParseLogKey(key); ok && part == 0 {
			failed = yield(number)
		}
		return failed
	})
	if err != nil && failed == nil {
		return &failure.DamagedError{Graph: graph, Kind: "log", Number: -1, Err: err}
	}
	return err
}

// readCommit reads the changes of a commit.
func readCommit(t tree.Tree, log, number uint64) ([]byte, error) {
	head, err := tree.ReadSealed(t, layout.LogKey(log, number, 0))
	if err != nil {
		return nil, err
	}
	parts, _, changes, err := layout.ParseHead(head)
	if err != nil {
		return nil, err
	}
	for part := range parts {
		some, err := tree.ReadSealed(t, layout.LogKey(log, number, uint32(part+1)))
		if err != nil {
			return nil, err
		}
		changes = append(changes, some...)
	}
	return changes, nil
}
