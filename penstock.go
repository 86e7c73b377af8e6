package penstock

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/penstock-db/penstock/internal/instance"
)

// Options of a database. The zero value is what most programs want.
type Options struct {
	// MustExist makes Open fail with ErrMissing instead of creating a database.
	MustExist bool
	// ReadOnly opens the database for reading only: nothing is changed, several programs may do so at once, and a damaged
	// database can be opened (see DB.Damage).
	ReadOnly bool
	// PluginDir holds the installed plugins; empty: the user's own, as the command line has it.
	PluginDir string
	// Logger receives the messages of storage and plugins, and of compactions in the background; nil: they are dropped.
	Logger *slog.Logger
	// KeepWarm is how long a device stays after a run, with the chunks that it holds, for the next run on that graph. 0: a
	// minute; negative: not at all.
	KeepWarm time.Duration
	// Memory is how much all statements, and runs as far as their vertices are concerned, may hold together, in bytes. 0:
	// half of what this process can expect, or QueryMemory if that is more. What would be more waits a little, and is
	// refused then.
	Memory int64
	// QueryMemory is how much a statement may hold at once, in bytes; 0: 1 GiB.
	QueryMemory int64
	// Devices are the names of those that algorithms in statements may run on; nil: the built-in one and all that are
	// installed. Run takes any.
	Devices []string
	// ImportDir is the folder that LOAD CSV reads files from, and from below it; empty: LOAD CSV is refused.
	ImportDir string
	// ChangesMemory is how much the changes of a graph may take that are not yet folded into its snapshot, in bytes; 0: 1
	// GiB. From a quarter of it on they are folded in the background.
	ChangesMemory int64
}

// DB is an open database. Its methods may be called from several goroutines. One process has a directory open for
// writing at a time; any other gets ErrLocked. Several may have it open for reading only.
type DB struct{ inner *instance.DB }

// Open opens the database in dir, and creates it when there is none.
func Open(dir string) (*DB, error) { return OpenWith(dir, Options{}) }

// OpenWith is Open with options.
//
// Errors: ErrLocked, ErrMissing.
func OpenWith(dir string, options Options) (*DB, error) {
	inner, err := instance.OpenWith(dir, instance.Options(options))
	if err != nil {
		return nil, public(err)
	}
	return &DB{inner}, nil
}

// Close ends the use of the database, and every device. Results, rows and transactions must be closed before.
func (db *DB) Close() error { return public(db.inner.Close()) }

// Verify reads everything that a graph consists of and checks every checksum and invariant.
func (db *DB) Verify(ctx context.Context, graph string) error {
	return public(db.inner.Verify(ctx, graph))
}

// Damage is what is damaged of a database that was opened with Options.ReadOnly; nil: nothing.
func (db *DB) Damage() []error { return db.inner.Damage() }

// Repair copies what is whole of the database at dir to a new one at to. Of each graph that is its snapshot, and its
// commits up to the first that cannot be read. It returns what is damaged and what of each graph is lost. Nothing at
// dir is changed.
func Repair(ctx context.Context, dir, to string) (damage []error, err error) {
	repaired, err := instance.Repair(ctx, dir, to)
	if err != nil {
		return nil, public(err)
	}
	damage = repaired.Damage
	for _, g := range repaired.Graphs {
		if g.Lost != nil {
			damage = append(damage, fmt.Errorf("graph %q: %w", g.Graph, g.Lost))
		}
	}
	return damage, nil
}

// Version is this module's version, as the Go toolchain stamped it: a release, or "devel", followed by the commit when
// it was built from a checkout.
func Version() string { return instance.Version() }
