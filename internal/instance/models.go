package instance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/store"
)

// Models lie in a folder of the database, a file each. A file appears when it is whole.

// modelEnding is that of a model's file, which any Arrow reader can open.
const modelEnding = ".arrow"

// UnknownModelError says that there is no model of a name.
type UnknownModelError struct {
	Name  string
	Known []string
}

func (e *UnknownModelError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("there is no model %q: the database has none yet", e.Name)
	}
	return fmt.Sprintf("there is no model %q; there are %s", e.Name, strings.Join(e.Known, ", "))
}

// ModelExistsError says that a model is there already.
type ModelExistsError struct{ Name string }

func (e *ModelExistsError) Error() string {
	return fmt.Sprintf("there is a model %q already; choose another name, or replace it", e.Name)
}

// ModelNameError says that a model cannot have a name.
type ModelNameError struct{ Name string }

func (e *ModelNameError) Error() string {
	return fmt.Sprintf("a model cannot be called %q: a name has up to 64 letters, digits, '-', '_' and '.', and begins "+
		"with a letter or digit", e.Name)
}

var modelName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// CheckModelName refuses a name that SaveModel would refuse, before anything is trained.
func (db *DB) CheckModelName(name string, replace bool) error {
	if !modelName.MatchString(name) {
		return &ModelNameError{name}
	}
	if db.store.ReadOnly() {
		return &store.ReadOnlyError{Dir: db.dir}
	}
	_, err := os.Stat(db.modelFile(name))
	switch {
	case err == nil && !replace:
		return &ModelExistsError{name}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// SaveModel stores a model under its name; with replace, in the place of one that has it.
func (db *DB) SaveModel(m *trained.Model, replace bool) error {
	if err := db.CheckModelName(m.Name, replace); err != nil {
		return err
	}
	file, err := m.Encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(db.models(), 0o700); err != nil {
		return err
	}
	return durable.Replace(db.modelFile(m.Name), file, 0o600)
}

// Model reads a model.
//
// Errors: *UnknownModelError, *trained.FormatError.
func (db *DB) Model(name string) (*trained.Model, error) {
	file, err := os.ReadFile(db.modelFile(name))
	if !modelName.MatchString(name) || errors.Is(err, fs.ErrNotExist) {
		known, err := db.ModelNames()
		return nil, errors.Join(err, &UnknownModelError{name, known})
	}
	if err != nil {
		return nil, err
	}
	return trained.Decode(db.modelFile(name), file)
}

// ModelNames lists the models of the database.
func (db *DB) ModelNames() (names []string, err error) {
	files, err := os.ReadDir(db.models())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range files {
		if name, is := strings.CutSuffix(f.Name(), modelEnding); is {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}

// Models reads all models of the database.
//
// Errors: *trained.FormatError.
func (db *DB) Models() ([]*trained.Model, error) {
	names, err := db.ModelNames()
	all := make([]*trained.Model, len(names))
	for i, name := range names {
		if all[i], err = db.Model(name); err != nil {
			return nil, err
		}
	}
	return all, err
}

// DropModel removes a model.
//
// Errors: *UnknownModelError.
func (db *DB) DropModel(name string) error {
	names, err := db.ModelNames()
	switch {
	case err != nil:
		return err
	case !slices.Contains(names, name):
		return &UnknownModelError{name, names}
	case db.store.ReadOnly():
		return &store.ReadOnlyError{Dir: db.dir}
	}
	if err := os.Remove(db.modelFile(name)); err != nil {
		return err
	}
	return durable.SyncDir(db.models())
}

func (db *DB) models() string { return filepath.Join(db.dir, "models") }

func (db *DB) modelFile(name string) string { return filepath.Join(db.models(), name+modelEnding) }
