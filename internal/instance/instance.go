package instance

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/internal/query/algorithm"
	"github.com/penstock-db/penstock/internal/query/learning"
	"github.com/penstock-db/penstock/internal/query/loadcsv"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/internal/registry"
	_ "github.com/penstock-db/penstock/plugins/cpu/reexec" // serves as the built-in device
	_ "github.com/penstock-db/penstock/plugins/npu/reexec" // serves as the NPU plugin
	"github.com/penstock-db/penstock/store"
)

// Options of a database. The zero value is what most programs want.
type Options struct {
	// MustExist makes Open fail with *store.MissingError instead of creating a database.
	MustExist bool
	// ReadOnly opens the database for reading only: nothing is changed, several programs may do so at once, and a damaged
	// database can be opened (see Damage).
	ReadOnly bool
	// PluginDir holds the installed plugins; empty: the user's own (see registry.Open). Statements know the algorithms of
	// those that are installed when the database is opened.
	PluginDir string
	// Logger hears of storage and plugin internals, and of compactions in the background;
	// nil: nobody does.
	Logger *slog.Logger
	// KeepWarm is how long a device stays after a run, with the chunks that it has been
	// given, for the next run on that graph. 0: host.DefaultIdle; less: not at all.
	KeepWarm time.Duration
	// Memory is how much all statements, and runs as far as their vertices are concerned, may hold
	// together, in bytes; 0: half of what this process can hope for, or QueryMemory if that is more.
	// What would be more waits, and is refused after memory.DefaultPatience.
	Memory int64
	// QueryMemory is how much a statement may hold at once, in bytes; 0: query.DefaultMemory.
	QueryMemory int64
	// Devices are the names of those that algorithms in statements may run on; nil: the built-in one and all that
	// are installed. No statement can start a program by its path. DB.Run asks nobody.
	Devices []string
	// ImportDir is the folder that LOAD CSV reads files from, and from below it; empty: LOAD CSV is refused.
	ImportDir string
	// ChangesMemory is how much changes that are not yet folded into a graph's snapshot may
	// take, in bytes, for each graph; 0: store.Options say. From a quarter of it on they are
	// folded in the background.
	ChangesMemory int64
}

// DB is an open database. Its methods may be called from several goroutines; one
// process has a directory open for writing at a time, and any other gets *store.LockedError. Several
// may have it open for reading only.
type DB struct {
	dir     string
	store   *store.DB
	plugins *registry.Registry
	engine  *host.Engine
	parts   *parts
	queries *query.Engine
	memory  *memory.Pool
	logger  *slog.Logger
}

// Open opens the database in dir and creates it when there is none.
func Open(dir string) (*DB, error) { return OpenWith(dir, Options{}) }

// OpenWith is Open with options.
func OpenWith(dir string, options Options) (*DB, error) {
	return OpenExpecting(dir, options, host.Expected{})
}

// OpenExpecting is OpenWith for a program that knows what it will want then, which begins while the database is opened.
func OpenExpecting(dir string, options Options, expected host.Expected) (*DB, error) {
	plugins, err := registry.Open(options.PluginDir)
	if err != nil {
		return nil, err
	}
	if options.KeepWarm == 0 {
		options.KeepWarm = host.DefaultIdle
	}
	engine := host.NewExpecting(max(options.KeepWarm, 0), expected)
	s, err := store.Open(dir, store.Options{Create: !options.MustExist, ReadOnly: options.ReadOnly, Logger: options.Logger,
		ChangesBytes: options.ChangesMemory})
	if err != nil {
		engine.Close()
		return nil, err
	}
	pool, err := newPool(options)
	if err != nil {
		engine.Close()
		return nil, errors.Join(err, s.Close())
	}
	db := &DB{dir: dir, store: s, plugins: plugins, engine: engine, memory: pool, logger: options.Logger}
	db.parts = &parts{idle: max(options.KeepWarm, 0), forget: db.engine.Forget}
	temp := filepath.Join(dir, "tmp")
	if options.ReadOnly {
		temp = "" // the system's
	}
	procedures, functions := algorithm.Procedures(runner{db}, catalogFor(plugins, options), options.Devices)
	db.queries = query.New(s, query.Options{
		Procedures: slices.Concat(procedures, learning.Procedures(learner{db}, options.Devices),
			[]*procedure.Procedure{loadcsv.Procedure(options.ImportDir)}),
		Functions: functions,
		Memory:    options.QueryMemory, Pool: pool, TempDir: temp,
		Version: Version(),
	})
	return db, nil
}

// catalogFor are the algorithms that statements may call: those that are built in, and those of installed plugins that
// are among the devices. A lock file that cannot be read keeps nobody from the data; whoever names a plugin hears of
// it.
func catalogFor(plugins *registry.Registry, options Options) algorithms.Catalog {
	catalog := catalog.All()
	provided, err := plugins.Algorithms()
	if err != nil && options.Logger != nil {
		options.Logger.Warn("statements know no algorithms of plugins", "error", err)
	}
	for _, p := range provided {
		if options.Devices == nil || slices.Contains(options.Devices, p.Plugin) {
			catalog = append(catalog, p.Algorithm)
		}
	}
	return catalog
}

func newPool(options Options) (*memory.Pool, error) {
	if options.Memory > 0 {
		return memory.NewPool(options.Memory, memory.DefaultPatience), nil
	}
	physical, err := pages.Physical()
	if err != nil {
		return nil, err
	}
	return memory.NewPool(max(int64(physical/2), options.QueryMemory), memory.DefaultPatience), nil
}

// Memory is what statements and runs share; a server takes what it needs for its clients from it, too.
func (db *DB) Memory() *memory.Pool { return db.memory }

// Close ends the use of the database, and every device. Results must be closed before.
func (db *DB) Close() error {
	db.parts.closeAll()
	closed := make(chan error)
	go func() { closed <- db.store.Close() }()
	db.engine.Close()
	return <-closed
}

// Graphs lists the graphs by name, each with its current snapshot.
func (db *DB) Graphs() ([]*store.Manifest, error) { return db.store.Graphs() }

// Graph is the current snapshot's manifest: counts, properties, chunks, provenance.
// It fails with *store.UnknownGraphError.
func (db *DB) Graph(name string) (*store.Manifest, error) {
	snapshot, err := db.store.Snapshot(name)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	return snapshot.Manifest(), nil
}

// Size counts what a graph has, with changes that are not yet folded into its snapshot.
func (db *DB) Size(ctx context.Context, graph string) (store.Size, error) {
	return db.store.Size(ctx, graph)
}

// Drop removes a graph and gives its space back.
func (db *DB) Drop(ctx context.Context, graph string) error {
	defer db.engine.Forget(graph)
	db.parts.closeOf(graph)
	err := db.store.Drop(ctx, graph)
	if full := (*store.DiskFullError)(nil); err != nil && !errors.As(err, &full) { // on a full disk the graph is gone
		return err
	}
	return errors.Join(err, host.RemoveCheckpoints(db.checkpoints(), graph), db.store.CollectGarbage(ctx))
}

// checkpoints is where runs keep their state that are to be resumed.
func (db *DB) checkpoints() string { return filepath.Join(db.dir, "checkpoints") }

// Verify reads everything a graph consists of and checks every checksum and invariant.
func (db *DB) Verify(ctx context.Context, graph string) error { return db.store.Verify(ctx, graph) }

// VerifyFiles reads all files that hold data, at most rate bytes a second (0: any), and returns what is
// damaged and how many bytes it has read.
func (db *DB) VerifyFiles(ctx context.Context, rate int64) (damage []error, read int64, err error) {
	return db.store.VerifyFiles(ctx, rate)
}

// Damage is what is not whole of a database that was opened with Options.ReadOnly. Each is a *store.DamagedError.
func (db *DB) Damage() []error { return db.store.Damage() }

// Source streams a graph's current snapshot with the user's ids. The caller closes it.
func (db *DB) Source(ctx context.Context, graph string) (formats.Source, error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	return pinnedSource{Source: snapshot.Source(nil), snapshot: snapshot}, nil
}

// pinnedSource lets go of its snapshot when it is closed.
type pinnedSource struct {
	formats.Source
	snapshot *store.Snapshot
}

func (s pinnedSource) Close() error {
	defer s.snapshot.Close()
	return s.Source.Close()
}
