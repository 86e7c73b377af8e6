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
	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/space"
	"github.com/penstock-db/penstock/store/internal/transaction"
	"github.com/penstock-db/penstock/store/internal/tree"
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
	// ReadOnly changes nothing on the disk: several processes may have the database open so, also on a file system that
	// cannot be written to.
	ReadOnly bool
	// Allocator holds Arrow arrays while they are read and written; nil: memory.DefaultAllocator.
	Allocator memory.Allocator
}

// DB is an open database. Its methods may be called from several goroutines: readers
// never wait for a writer, and of several writers one works at a time.
type DB struct {
	dir      string
	badger   *tree.Badger // nil: read-only
	lock     *os.File     // nil: on a file system that cannot be written to
	mem      memory.Allocator
	logger   *slog.Logger
	readOnly bool

	reading *tree.FileTree           // the files of a database that is open for reading only
	damage  []error                  // of these
	copies  map[string]catalog.Graph // the second copy of their manifests

	catalog *catalog.Catalog

	writer chan struct{} // holds one token: who took it may write

	files     snapshot.FilesInUse
	reader    *snapshot.Reader
	rewritten sync.Map // numbers of logs that Badger has rewritten and may remove later, when iterators end

	log    *transaction.Log
	graphs *transaction.Graphs

	compactor *compactor

	mu   sync.Mutex                      // protects pins, and the step from reading a manifest to pinning it
	pins map[*manifest.Manifest]struct{} // the manifests of open snapshots
}

// Open opens the database in dir and takes its lock. First it proves that its files are whole (prove.go);
// nothing is changed before that. Then what a killed process left unfinished is removed. The caller must Close it.
//
// With Options.ReadOnly nothing is changed at all, and others may read beside it. Such a database may be damaged: Damage tells how, and what
// is damaged gives a *DamagedError when it is read.
//
// Errors: *MissingError, *NotDatabaseError, *VersionError, *LockedError, *DiskFullError,
// *DamagedDatabaseError.
func Open(dir string, opts Options) (*DB, error) {
	format, err := prepare(dir, opts.Create && !opts.ReadOnly)
	if err != nil {
		return nil, err
	}
	return open(dir, format, opts)
}

// open is Open of a database of this format, which FORMAT need not say yet.
func open(dir string, format int, opts Options) (*DB, error) {
	held, err := lock(dir, opts.ReadOnly)
	if err != nil {
		return nil, err
	}
	db := newDB(dir, held, opts)
	found, err := prove(dir, format)
	switch {
	case err != nil:
	case opts.ReadOnly:
		db.reading, db.damage, db.copies = found.tree, found.damage, found.catalog.Graphs
		return db, nil
	case len(found.damage) > 0:
		err = &failure.DamagedDatabaseError{Dir: dir, Damage: found.damage}
		found.tree.Close()
	default:
		found.tree.Close()
		err = space.DiskFull(dir, db.start(found, format, opts.Logger))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	db.startCompactor(opts.Logger)
	return db, nil
}

func newDB(dir string, held *os.File, opts Options) *DB {
	db := &DB{dir: dir, lock: held, mem: opts.Allocator, logger: opts.Logger, readOnly: opts.ReadOnly, writer: make(chan struct{}, 1), pins: map[*manifest.Manifest]struct{}{}}
	if db.mem == nil {
		db.mem = memory.DefaultAllocator
	}
	db.log = transaction.NewLog(dir, db.view)
	db.graphs = transaction.New(cmp.Or(opts.CacheBytes, 256<<20))
	db.graphs.Log, db.graphs.Mem = db.log, db.mem
	db.graphs.IndexBytes, db.graphs.Limit = cmp.Or(opts.IndexBytes, 1<<30), cmp.Or(opts.ChangesBytes, 1<<30)
	db.graphs.Snapshot, db.graphs.Compact = db.Snapshot, db.Compact
	db.graphs.Due = func(g *transaction.Graph) bool { return db.compactor.take(g) }
	db.files.Last = db.collectLast
	db.reader = snapshot.NewReader(db.view, db.mem, &db.files)
	if db.logger == nil {
		db.logger = slog.New(slog.DiscardHandler)
	}
	return db
}

// start opens Badger on files that are whole.
func (db *DB) start(found *proof, format int, logger *slog.Logger) (err error) {
	if err := errors.Join(writePID(db.lock), os.RemoveAll(db.tempDir()), os.MkdirAll(db.tempDir(), 0o755)); err != nil {
		return err
	}
	for _, table := range found.tree.Stray() { // of a merge that found the disk full
		if err := os.Remove(table); err != nil {
			return err
		}
	}
	if err := space.Relieve(db.dir, space.OpenReserve); err != nil {
		return err
	}
	for _, log := range found.tree.Torn() { // no graph names a value in it
		if err := os.Remove(log); err != nil {
			return err
		}
	}
	if db.badger, err = tree.Open(filepath.Join(db.dir, dataDir), logger); err != nil {
		return err
	}
	db.log.Open(db.badger)
	if err := db.keepBooks(found, format); err != nil {
		return err
	}
	db.writer <- struct{}{}
	defer space.RestoreBallast(db.dir)
	err = db.tidy(context.Background())
	if full := (*failure.DiskFullError)(nil); errors.As(err, &full) {
		return nil // tidying can wait; dropping a graph must be possible
	}
	return err
}

// keepBooks opens the catalog and SYNCED, or makes them for a database of format 1.
func (db *DB) keepBooks(found *proof, format int) (err error) {
	path := filepath.Join(db.dir, catalogFile)
	if format == 1 {
		graphs, err := db.cataloged()
		if err != nil {
			return err
		}
		if db.catalog, err = catalog.Create(path, graphs); err != nil {
			return err
		}
		if err := errors.Join(tree.MakeSynced(db.dir), writeFormat(db.dir)); err != nil {
			return err
		}
		return db.badger.OpenSequence(db.dir, found.sequence, found.sequence)
	}
	if found.pending {
		db.catalog, err = catalog.Create(path, found.catalog.Before)
	} else {
		db.catalog, err = catalog.Open(path, found.catalog)
	}
	if err != nil {
		return err
	}
	return db.badger.OpenSequence(db.dir, found.sequence, found.synced)
}

// cataloged are the graphs in the tree as the catalog has them.
func (db *DB) cataloged() (map[string]catalog.Graph, error) {
	manifests, err := db.Graphs()
	if err != nil {
		return nil, err
	}
	graphs := map[string]catalog.Graph{}
	for _, m := range manifests {
		text, err := manifest.Encode(m)
		if err != nil {
			return nil, err
		}
		graphs[m.Graph] = catalog.Graph{Name: m.Graph, Snapshot: m.ID, Manifest: text}
	}
	return graphs, nil
}

// Damage is what is not whole of a database that was opened for reading only.
func (db *DB) Damage() []error { return db.damage }

// ReadOnly tells whether the database was opened for reading only.
func (db *DB) ReadOnly() bool { return db.readOnly }

func (db *DB) tempDir() string { return filepath.Join(db.dir, "tmp") }

// Close lets go of the database. Every Snapshot should be closed before.
func (db *DB) Close() error {
	var err error
	db.compactor.stop()
	db.files.Close()
	if db.reading != nil {
		db.reading.Close()
	}
	if db.badger != nil {
		_ = db.badger.RelieveMerge(db.dir) // others may have filled the disk
		err = db.badger.Close()
	}
	if db.badger != nil && err == nil {
		err = tree.FinishLog(filepath.Join(db.dir, dataDir), db.tempDir())
		space.RestoreBallast(db.dir)
	}
	if db.catalog != nil {
		err = errors.Join(err, db.catalog.Close())
	}
	if db.badger != nil {
		err = errors.Join(err, db.badger.CloseSequence())
	}
	if db.lock != nil {
		err = errors.Join(err, db.lock.Close())
	}
	return err
}

// Graphs lists the current snapshot of each graph, by name. When a manifest is
// damaged, the others are listed all the same and the error is a *DamagedError.
func (db *DB) Graphs() ([]*manifest.Manifest, error) {
	names, err := db.names()
	if err != nil {
		return nil, err
	}
	var all []*manifest.Manifest
	var damage []error
	err = db.view(func(t tree.Tree) error {
		for _, name := range names {
			m, err := manifest.Read(t, name)
			switch {
			case err == nil:
				all = append(all, m)
			case !errors.Is(err, layout.ErrMissing): // dropped meanwhile
				damage = append(damage, err)
			}
		}
		return nil
	})
	return all, errors.Join(append(damage, err)...)
}

// current reads the manifest of a graph's current snapshot.
func (db *DB) current(graph string) (m *manifest.Manifest, err error) {
	err = db.view(func(t tree.Tree) error {
		m, err = manifest.Read(t, graph)
		return err
	})
	if errors.Is(err, layout.ErrMissing) {
		return nil, db.unknownGraph(graph)
	}
	return m, err
}

func (db *DB) unknownGraph(graph string) error {
	names, err := db.names()
	if err != nil {
		return err
	}
	return &failure.UnknownGraphError{Graph: graph, Known: names}
}

// names lists the graphs without reading their manifests.
func (db *DB) names() (names []string, err error) {
	err = db.view(func(t tree.Tree) (err error) {
		names, err = manifest.Names(t)
		return err
	})
	return names, err
}

// view has look read the tree: Badger's or, where the database is open for reading only, that of its files.
func (db *DB) view(look func(tree.Tree) error) error {
	if db.reading != nil {
		return look(db.reading)
	}
	return db.badger.View(func(txn *badger.Txn) error { return look(db.badger.Tree(txn)) })
}
