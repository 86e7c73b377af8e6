package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/space"
)

// Intake is a database on its way that takes what others have stored, under the same keys. It
// lies in a folder beside its place, without the file that makes a folder a database, until
// Finish has found every graph sound. So whatever ends it before leaves no database.
type Intake struct {
	dir, temp string
	db        *DB // nil: closed
	values    *generation.Generation
}

// NewIntake begins a database that will lie at dir, where nothing may be yet. The caller must
// Finish or Abandon it.
//
// Errors: *ExistsError, *DiskFullError.
func NewIntake(dir string, logger *slog.Logger) (*Intake, error) {
	dir = filepath.Clean(dir)
	if _, err := os.Lstat(dir); err == nil {
		return nil, &failure.ExistsError{Path: dir}
	}
	temp := filepath.Join(filepath.Dir(dir), fmt.Sprintf(".%s-unfinished-%08x", filepath.Base(dir), rand.Uint32()))
	if err := os.Mkdir(temp, 0o755); err != nil {
		return nil, err
	}
	db, err := openEmpty(temp, logger)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	values := generation.New(db.badger, db.dir, db.mem, "", 0)
	return &Intake{dir: dir, temp: temp, db: db, values: values}, nil
}

// openEmpty opens an empty database without FORMAT.
func openEmpty(dir string, logger *slog.Logger) (*DB, error) {
	if err := directory.MakeEmpty(dir); err != nil {
		return nil, err
	}
	return open(dir, directory.FormatNow, Options{Logger: logger})
}

// Put takes a value, which the caller must not touch again. Values of at most 64 MiB, or else
// one, are on their way to the disk at a time.
//
// Errors: *DiskFullError.
func (in *Intake) Put(key, value []byte) error { return in.values.Put(key, value) }

// PutFile takes a file that lies beside the graphs, such as the list of users, or in a folder there: "models/topics".
// Nobody else may read it.
func (in *Intake) PutFile(name string, content []byte) error {
	path := filepath.Join(in.temp, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil && filepath.Dir(path) != in.temp {
		err = durable.SyncDir(filepath.Dir(path))
	}
	return space.DiskFull(in.temp, err)
}

// Finish makes manifests, all of whose values and commits have been put, the graphs of the
// database, verifies them, and moves the database to its place. generation is the last that was
// given out where they come from.
//
// Errors: *DamagedError, *DiskFullError, *ExistsError.
func (in *Intake) Finish(ctx context.Context, generation uint64, graphs []*manifest.Manifest) error {
	err := errors.Join(ctx.Err(), in.publish(generation, graphs))
	if err = errors.Join(err, in.close()); err != nil {
		return err
	}
	if err := in.verify(ctx, graphs); err != nil {
		return err
	}
	if err := durable.SyncDir(directory.Data(in.temp)); err != nil {
		return err
	}
	if err := directory.WriteFormat(in.temp); err != nil {
		return space.DiskFull(in.temp, err)
	}
	if _, err := os.Lstat(in.dir); err == nil {
		return &failure.ExistsError{Path: in.dir}
	}
	if err := os.Rename(in.temp, in.dir); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(in.dir))
}

func (in *Intake) publish(generation uint64, graphs []*manifest.Manifest) error {
	for _, m := range graphs {
		if err := checkName(m.Graph); err != nil {
			return err
		}
		if last := m.LastGeneration(); last > generation {
			return &failure.DamagedError{Graph: m.Graph, Kind: "manifest", Number: -1,
				Err: fmt.Errorf("it names generation %d, the last is %d", last, generation)}
		}
	}
	err := in.values.FlushAll()
	if err == nil {
		err = in.db.badger.SetGeneration(generation)
	}
	if err := errors.Join(err, in.db.badger.SyncAll()); err != nil {
		return space.DiskFull(in.temp, err)
	}
	for _, m := range graphs {
		if err := in.db.putManifest(m); err != nil {
			return space.DiskFull(in.temp, err)
		}
	}
	return nil
}

// verify opens the database again, as its first user will, and reads all of it.
func (in *Intake) verify(ctx context.Context, graphs []*manifest.Manifest) error {
	db, err := open(in.temp, directory.FormatNow, Options{})
	if err != nil {
		return err
	}
	return errors.Join(verifyGraphs(ctx, db, graphs), db.Close())
}

// verifyGraphs checks that these graphs are there, and sound.
func verifyGraphs(ctx context.Context, db *DB, graphs []*manifest.Manifest) error {
	names, err := db.names()
	if err != nil {
		return err
	}
	for _, m := range graphs {
		if !slices.Contains(names, m.Graph) {
			return &failure.DamagedError{Graph: m.Graph, Kind: "manifest", Number: -1, Err: layout.ErrMissing}
		}
		if err := db.Verify(ctx, m.Graph); err != nil {
			return err
		}
	}
	return nil
}

// close lets go of the database; it may be called again.
func (in *Intake) close() error {
	if in.db == nil {
		return nil
	}
	err := errors.Join(in.values.Abandon(), in.db.Close())
	in.db = nil
	return err
}

// Abandon removes what is there, unless Finish has succeeded.
func (in *Intake) Abandon() error { return errors.Join(in.close(), os.RemoveAll(in.temp)) }
