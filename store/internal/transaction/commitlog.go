package transaction

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/catalog"
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
	badger  *tree.Badger
	catalog *catalog.Catalog
	dir     string // of the database: what is free on its disk bounds what is logged
	view    func(look func(tree.Tree) error) error
	// Dropping is held while Badger refuses to write.
	Dropping sync.RWMutex
}

// NewLog is the log of a database in dir, whose trees view shows.
func NewLog(dir string, view func(look func(tree.Tree) error) error) *Log {
	return &Log{dir: dir, view: view}
}

// Open has commits logged in b, whose graphs c names too; until then they can be read.
func (l *Log) Open(b *tree.Badger, c *catalog.Catalog) { l.badger, l.catalog = b, c }

// Append logs a commit and returns when it is on the disk. The graph's manifest is written anew if it is of an older
// version. No one else may write the manifest meanwhile.
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
	head := append(layout.AppendHead(parts, time.Now()), changes...)
	return space.DiskFull(l.dir, l.putHead(graph, layout.LogKey(log, number, 0), head))
}

// putHead makes a commit part of the graph, and returns when that is on the disk.
func (l *Log) putHead(graph string, key, head []byte) error {
	m, err := l.outdated(graph)
	if err != nil {
		return err
	}
	if m == nil {
		_, err := l.badger.Commit(l.badger.SyncNames, func(txn *badger.Txn) error {
			return txn.Set(key, layout.Seal(key, head))
		})
		return err
	}
	// A newer version keeps programs that know nothing of logs from a graph that has one.
	m.Version, m.Log = manifest.Version, m.LogID()
	value, err := manifest.Encode(m)
	if err != nil {
		return err
	}
	change := catalog.Graph{Name: graph, Snapshot: m.ID, Manifest: value}
	return l.catalog.Change(change, func() (made bool, err error) {
		return l.badger.Commit(l.badger.SyncNames, func(txn *badger.Txn) error {
			named := layout.GraphKey(graph)
			return errors.Join(txn.Set(named, layout.Seal(named, value)), txn.Set(key, layout.Seal(key, head)))
		})
	})
}

// outdated is a graph's manifest if it is of an older version, else nil.
func (l *Log) outdated(graph string) (m *manifest.Manifest, err error) {
	err = l.view(func(t tree.Tree) error {
		m, err = manifest.Read(t, graph)
		return err
	})
	if err != nil || m.Version == manifest.Version {
		return nil, err
	}
	return m, nil
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

// Each yields the changes of all commits of a log, the oldest first. They are numbered without gaps.
func (l *Log) Each(ctx context.Context, graph string, log uint64,
	yield func(number uint64, changes []byte) error) error {
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
