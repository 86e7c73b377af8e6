package store

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/dgraph-io/badger/v4"
)

// Options say how to open a database. The zero value opens an existing one.
type Options struct {
	// Create makes the database when dir does not exist or is empty.
	Create bool
	// Logger is given Badger's log lines, and told of compactions; nil: nobody is.
	Logger *slog.Logger
	// ChangesBytes bounds, for each graph, what changes that are not yet compacted take in
	// memory, with those of one transaction. From a quarter of it on the graph is compacted
	// in the background; beyond half of it, before the next transaction that writes. 0: 1 GiB.
	ChangesBytes int64
	// CacheBytes bounds the decoded chunks and columns that transactions read; 0: 256 MiB.
	CacheBytes int64
	// IndexBytes bounds what each index on loaded data takes in memory; one that would take
	// more is not made, and what it is asked is searched for. 0: 1 GiB.
	IndexBytes int64
	// Allocator holds Arrow arrays while they are read and written; nil: memory.DefaultAllocator.
	Allocator memory.Allocator
}

// DB is an open database. Its methods may be called from several goroutines: readers
// never wait for a writer, and of several writers one works at a time.
type DB struct {
	dir    string
	badger *badger.DB
	lock   *os.File
	mem    memory.Allocator

	writer chan struct{} // holds one token: who took it may write

	files filesInUse
	cache cache

	dropping sync.RWMutex // held while Badger refuses to write
	graphs   openGraphs

	indexBytes int64
	finder     finder
	compactor  *compactor

	mu   sync.Mutex             // protects pins, and the step from reading a manifest to pinning it
	pins map[*Manifest]struct{} // the manifests of open snapshots
}

// Open opens the database in dir and takes its lock; what a killed process left
// unfinished is removed. The caller must Close it.
//
// Errors: *MissingError, *NotDatabaseError, *VersionError, *LockedError, *DiskFullError.
func Open(dir string, opts Options) (*DB, error) {
	if err := prepare(dir, opts.Create); err != nil {
		return nil, err
	}
	return open(dir, opts)
}

// open is Open of what need not be a database yet.
func open(dir string, opts Options) (*DB, error) {
	held, err := lock(dir)
	if err != nil {
		return nil, err
	}
	db := &DB{dir: dir, lock: held, mem: opts.Allocator, writer: make(chan struct{}, 1), pins: map[*Manifest]struct{}{}}
	db.indexBytes = cmp.Or(opts.IndexBytes, 1<<30)
	db.cache.limit = cmp.Or(opts.CacheBytes, 256<<20)
	db.graphs = openGraphs{byName: map[string]*graph{}, limit: cmp.Or(opts.ChangesBytes, 1<<30)}
	if db.mem == nil {
		db.mem = memory.DefaultAllocator
	}
	if err := db.start(opts.Logger); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	db.startCompactor(opts.Logger)
	return db, nil
}

func (db *DB) start(logger *slog.Logger) (err error) {
	if err := errors.Join(os.RemoveAll(db.tempDir()), os.MkdirAll(db.tempDir(), 0o755)); err != nil {
		return err
	}
	if err := db.relieve(openReserve); err != nil {
		return err
	}
	if db.badger, err = openBadger(filepath.Join(db.dir, dataDir), logger); err != nil {
		return err
	}
	db.writer <- struct{}{}
	defer db.restoreBallast()
	err = db.tidy(context.Background())
	if full := (*DiskFullError)(nil); errors.As(err, &full) {
		return nil // tidying can wait; dropping a graph must be possible
	}
	return err
}

func (db *DB) tempDir() string { return filepath.Join(db.dir, "tmp") }

// Close lets go of the database. Every Snapshot should be closed before.
func (db *DB) Close() error {
	var err error
	db.compactor.stop()
	db.files.close()
	if db.badger != nil {
		err = db.badger.Close()
	}
	if db.badger != nil && err == nil {
		err = finishLog(filepath.Join(db.dir, dataDir), db.tempDir())
		db.restoreBallast()
	}
	return errors.Join(err, db.lock.Close())
}

// Graphs lists the current snapshot of each graph, by name. When a manifest is
// damaged, the others are listed all the same and the error is a *DamagedError.
func (db *DB) Graphs() ([]*Manifest, error) {
	names, err := db.names()
	if err != nil {
		return nil, err
	}
	var all []*Manifest
	var damage []error
	err = db.badger.View(func(txn *badger.Txn) error {
		for _, name := range names {
			m, err := readManifest(txn, name)
			switch {
			case err == nil:
				all = append(all, m)
			case !errors.Is(err, errMissing): // dropped meanwhile
				damage = append(damage, err)
			}
		}
		return nil
	})
	return all, errors.Join(append(damage, err)...)
}

// current reads the manifest of a graph's current snapshot.
func (db *DB) current(graph string) (m *Manifest, err error) {
	err = db.badger.View(func(txn *badger.Txn) error {
		m, err = readManifest(txn, graph)
		return err
	})
	if errors.Is(err, errMissing) {
		return nil, db.unknownGraph(graph)
	}
	return m, err
}

// readManifest reads a manifest; errMissing when there is none.
func readManifest(txn *badger.Txn, graph string) (*Manifest, error) {
	payload, err := readSealed(txn, graphKey(graph))
	if errors.Is(err, errMissing) {
		return nil, err
	}
	var m *Manifest
	if err == nil {
		m, err = decodeManifest(payload)
	}
	if err != nil {
		return nil, &DamagedError{Graph: graph, Kind: "manifest", Number: -1, Err: err}
	}
	return m, nil
}

func (db *DB) unknownGraph(graph string) error {
	names, err := db.names()
	if err != nil {
		return err
	}
	return &UnknownGraphError{Graph: graph, Known: names}
}

// names lists the graphs without reading their manifests.
func (db *DB) names() (names []string, err error) {
	err = db.badger.View(func(txn *badger.Txn) error {
		names = graphNames(txn)
		return nil
	})
	return names, err
}

func graphNames(txn *badger.Txn) (names []string) {
	it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{graphPrefix}})
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		names = append(names, string(it.Item().Key()[1:]))
	}
	return names
}

// nextGeneration gives out a number that was never given out before.
func (db *DB) nextGeneration() (n uint64, err error) {
	err = db.badger.Update(func(txn *badger.Txn) error {
		if n, err = lastGeneration(txn); err != nil {
			return err
		}
		n++
		return setGeneration(txn, n)
	})
	return n, err
}
