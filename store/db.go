package store

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/proof"
	"github.com/penstock-db/penstock/store/internal/reclaim"
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

	found   *proof.Proof     // the files of a database that is open for reading only; nil: Badger has them
	catalog *catalog.Catalog // nil: read-only
	writer  token
	unswept atomic.Bool // a snapshot was closed, and nobody has swept since

	files     snapshot.FilesInUse
	reader    *snapshot.Reader
	reclaimer *reclaim.Reclaimer // nil: read-only

	log    *transaction.Log
	graphs *transaction.Graphs

	compactor *compactor

	mu   sync.Mutex                      // protects pins, and the step from reading a manifest to pinning it
	pins map[*manifest.Manifest]struct{} // the manifests of open snapshots
}

// Open opens the database in dir and takes its lock. First it proves that its files are whole (package proof);
// nothing is changed before that. Then what a killed process left unfinished is removed. The caller must Close it.
//
// With Options.ReadOnly nothing is changed at all, and others may read beside it. Such a database may be damaged:
// Damage tells how, and what is damaged gives a *DamagedError when it is read.
//
// Errors: *MissingError, *NotDatabaseError, *VersionError, *LockedError, *DiskFullError,
// *DamagedDatabaseError.
func Open(dir string, opts Options) (*DB, error) {
	format, err := directory.Prepare(dir, opts.Create && !opts.ReadOnly)
	if err != nil {
		return nil, err
	}
	return open(dir, format, opts)
}

// Check fails where dir is no database that this program reads. It opens none, so that another process may have it
// open.
//
// Errors: *MissingError, *NotDatabaseError, *VersionError.
func Check(dir string) error {
	_, err := directory.Prepare(dir, false)
	return err
}

// open is Open of a database of this format, which FORMAT need not say yet.
func open(dir string, format int, opts Options) (*DB, error) {
	held, err := directory.Lock(dir, opts.ReadOnly)
	if err != nil {
		return nil, err
	}
	db := newDB(dir, held, opts)
	found, err := proof.Prove(dir, format)
	switch {
	case err != nil:
	case opts.ReadOnly:
		db.found = found
		return db, nil
	case len(found.Damage) > 0:
		err = &failure.DamagedDatabaseError{Dir: dir, Damage: found.Damage}
		found.Tree.Close()
	default:
		found.Tree.Close()
		err = space.DiskFull(dir, db.start(found, format, opts.Logger))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	db.compactor = startCompactor(db.logger, db.reclaimSwept)
	return db, nil
}

func newDB(dir string, held *os.File, opts Options) *DB {
	db := &DB{
		dir: dir, lock: held, mem: opts.Allocator, logger: opts.Logger, readOnly: opts.ReadOnly,
		writer: make(token, 1), pins: map[*manifest.Manifest]struct{}{},
	}
	if db.mem == nil {
		db.mem = memory.DefaultAllocator
	}
	db.log = transaction.NewLog(dir, db.view)
	db.graphs = transaction.New(cmp.Or(opts.CacheBytes, 256<<20))
	db.graphs.Log, db.graphs.Mem = db.log, db.mem
	db.graphs.IndexBytes, db.graphs.Limit = cmp.Or(opts.IndexBytes, 1<<30), cmp.Or(opts.ChangesBytes, 1<<30)
	db.graphs.Snapshot, db.graphs.Compact = db.Snapshot, db.Compact
	db.graphs.Due = func(g *transaction.Graph) bool { return db.compactor.take(g) }
	db.files.Last = db.collectOwed
	db.reader = snapshot.NewReader(db.view, db.mem, &db.files)
	if db.logger == nil {
		db.logger = slog.New(slog.DiscardHandler)
	}
	return db
}

// start opens Badger on files that are whole.
func (db *DB) start(found *proof.Proof, format int, logger *slog.Logger) (err error) {
	if err := errors.Join(directory.WritePID(db.lock), directory.EmptyTemp(db.dir)); err != nil {
		return err
	}
	for _, table := range found.Tree.Stray() { // of a merge that found the disk full
		if err := os.Remove(table); err != nil {
			return err
		}
	}
	if err := space.Relieve(db.dir, space.OpenReserve); err != nil {
		return err
	}
	for _, log := range found.Tree.Torn() { // no graph names a value in it
		if err := os.Remove(log); err != nil {
			return err
		}
	}
	if db.badger, err = tree.Open(directory.Data(db.dir), logger); err != nil {
		return err
	}
	db.reclaimer = reclaim.New(db.dir, db.badger, &db.log.Dropping, &db.files, db.logger)
	if db.catalog, err = openCatalog(db.dir, db.badger, found, format, db.Graphs); err != nil {
		return err
	}
	db.log.Open(db.badger, db.catalog)
	db.writer.release()
	defer space.RestoreBallast(db.dir)
	err = db.tidy(context.Background())
	if full := (*failure.DiskFullError)(nil); errors.As(err, &full) {
		return nil // tidying can wait; dropping a graph must be possible
	}
	return err
}

// Damage is what is not whole of a database that was opened for reading only.
func (db *DB) Damage() []error {
	if db.found == nil {
		return nil
	}
	return db.found.Damage
}

// ReadOnly tells whether the database was opened for reading only.
func (db *DB) ReadOnly() bool { return db.readOnly }

// Close lets go of the database. Every Snapshot should be closed before.
func (db *DB) Close() error {
	var err error
	db.compactor.stop()
	db.files.Close()
	if db.found != nil {
		db.found.Tree.Close()
	}
	if db.badger != nil {
		_ = db.badger.RelieveMerge(db.dir) // others may have filled the disk
		err = db.badger.Close()
	}
	if db.badger != nil && err == nil {
		err = tree.FinishLog(directory.Data(db.dir), directory.Temp(db.dir))
		space.RestoreBallast(db.dir)
	}
	if db.catalog != nil {
		err = errors.Join(err, db.catalog.Close())
	}
	if db.badger != nil {
		err = errors.Join(err, db.badger.CloseSequence())
	}
	if db.lock != nil {
		err = errors.Join(err, directory.Unlock(db.lock))
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
		names, err := db.names()
		if err != nil {
			return nil, err
		}
		return nil, &failure.UnknownGraphError{Graph: graph, Known: names}
	}
	return m, err
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
	if db.found != nil {
		return look(db.found.Tree)
	}
	return db.badger.View(func(txn *badger.Txn) error { return look(db.badger.Tree(txn)) })
}
