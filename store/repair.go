package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/penstock-db/penstock/store/internal/repair"
)

// Repaired tells what Repair has saved.
type Repaired struct {
	Graphs []RepairedGraph
	Damage []error // of the database that was repaired
}

// RepairedGraph tells what was saved of a graph.
type RepairedGraph = repair.Graph

// Repair copies what is whole in the database at dir to a new one at to. Of each graph that is its snapshot, if all
// pieces of that can be read, and its commits up to the first that cannot. Nothing at dir is changed. As a backup is
// restored, so is the copy: it becomes a database only when every graph in it has been verified. At most 64 MiB of
// values are in memory at a time, or else one value.
//
// Errors: those of Open for reading only, *ExistsError, *DiskFullError.
func Repair(ctx context.Context, dir, to string) (done *Repaired, err error) {
	db, err := Open(dir, Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	in, err := NewIntake(to, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Abandon()) }()
	source := repair.Source{Tree: db.found.Tree, Copies: db.found.Catalog.Graphs, Reader: db.reader}
	saved, err := source.Copy(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := copyRules(in, dir); err != nil {
		return nil, err
	}
	return &Repaired{Graphs: saved.Graphs, Damage: db.Damage()}, in.Finish(ctx, saved.Generation, saved.Manifests)
}

// copyRules copies the files that say who may use the database, and which plugins may run in it, damaged or not.
func copyRules(in *Intake, dir string) error {
	for _, name := range []string{"users", "plugins.enabled"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = in.PutFile(name, text)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
