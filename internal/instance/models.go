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
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/store"
)

// Models are the models of a database. They lie in a folder of it, a file each, which appears when it is whole.
type Models struct {
	database string // its folder
	readOnly bool
}

// Models are those of the database.
func (db *DB) Models() Models { return Models{db.dir, db.store.ReadOnly()} }

// modelEnding is that of a model's file, which any reader of Arrow streams can open.
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

// Check refuses a name that Save would refuse, before anything is trained.
func (m Models) Check(name string, replace bool) error {
	if !modelName.MatchString(name) {
		return &ModelNameError{name}
	}
	if m.readOnly {
		return &store.ReadOnlyError{Dir: m.database}
	}
	_, err := os.Stat(m.file(name))
	switch {
	case err == nil && !replace:
		return &ModelExistsError{name}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// Save stores a model under its name; with replace, in the place of one that has it.
func (m Models) Save(model *trained.Model, replace bool) error {
	if err := m.Check(model.Name, replace); err != nil {
		return err
	}
	file, err := model.Encode()
	if err != nil {
		return err
	}
	return m.write(model.Name, file)
}

// Keep has a model learned, and saves it under a name; an empty one: it does not. A name that Save would refuse is
// refused before anything is learned.
func (m Models) Keep(name string, replace bool, learn func() (*host.Trained, error)) (*host.Trained, error) {
	if err := m.CheckKept(name, replace); err != nil {
		return nil, err
	}
	t, err := learn()
	if err != nil || name == "" {
		return t, err
	}
	t.Model.Name = name
	return t, m.Save(t.Model, replace)
}

// CheckKept refuses a name that Keep would refuse.
func (m Models) CheckKept(name string, replace bool) error {
	if name == "" {
		return nil
	}
	return m.Check(name, replace)
}

func (m Models) write(name string, file []byte) error {
	if err := os.MkdirAll(m.folder(), 0o700); err != nil {
		return err
	}
	return durable.Replace(m.file(name), file, 0o600)
}

// Get reads a model.
//
// Errors: *UnknownModelError, *trained.FormatError.
func (m Models) Get(name string) (*trained.Model, error) {
	model, _, err := m.read(name)
	return model, err
}

// read reads a model, and its file.
func (m Models) read(name string) (model *trained.Model, file []byte, err error) {
	file, err = os.ReadFile(m.file(name))
	if !modelName.MatchString(name) || errors.Is(err, fs.ErrNotExist) {
		known, err := m.Names()
		return nil, nil, errors.Join(err, &UnknownModelError{name, known})
	}
	if err == nil {
		model, err = trained.Decode(m.file(name), file)
	}
	return model, file, err
}

// Names lists the models of the database.
func (m Models) Names() (names []string, err error) {
	files, err := os.ReadDir(m.folder())
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

// All reads all models of the database.
//
// Errors: *trained.FormatError.
func (m Models) All() ([]*trained.Model, error) {
	names, err := m.Names()
	all := make([]*trained.Model, len(names))
	for i, name := range names {
		if all[i], err = m.Get(name); err != nil {
			return nil, err
		}
	}
	return all, err
}

// Verify reads all models of the database, and returns those that are whole, and what is wrong with the others.
func (m Models) Verify() (sound []string, damage []error, err error) {
	names, err := m.Names()
	for _, name := range names {
		if _, err := m.Get(name); err != nil {
			damage = append(damage, err)
		} else {
			sound = append(sound, name)
		}
	}
	return sound, damage, err
}

// Drop removes a model.
//
// Errors: *UnknownModelError.
func (m Models) Drop(name string) error {
	names, err := m.Names()
	switch {
	case err != nil:
		return err
	case !slices.Contains(names, name):
		return &UnknownModelError{name, names}
	case m.readOnly:
		return &store.ReadOnlyError{Dir: m.database}
	}
	if err := os.Remove(m.file(name)); err != nil {
		return err
	}
	return durable.SyncDir(m.folder())
}

func (m Models) folder() string { return filepath.Join(m.database, "models") }

func (m Models) file(name string) string { return filepath.Join(m.folder(), name+modelEnding) }
