package allowlist

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/durable"
)

// File is what the list is called in a database's directory.
const File = "plugins.enabled"

const (
	heading = "penstock enabled plugins 1"
	sum     = "sha256 "
)

// Read reads the list of the database at dir, which need not have one.
func Read(dir string) List {
	file := filepath.Join(dir, File)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return List{Database: dir}
	}
	var names []string
	if err == nil {
		names, err = parse(string(text))
	}
	if err != nil {
		return List{Database: dir, Unreadable: &UnreadableError{Database: dir, File: file, Err: err}}
	}
	return List{Database: dir, Names: names}
}

// parse reads what format has written, byte by byte.
func parse(text string) ([]string, error) {
	lines := strings.Split(text, "\n")
	switch {
	case lines[0] != heading:
		return nil, fmt.Errorf("it begins with %.40q, not with %q, which this program knows", lines[0], heading)
	case len(lines) < 3 || !strings.HasPrefix(lines[len(lines)-2], sum):
		return nil, errors.New("it has no checksum at its end")
	}
	names := append([]string{}, lines[1:len(lines)-2]...)
	if text != format(names) {
		return nil, errors.New("it is not what its checksum is of")
	}
	return names, nil
}

func format(names []string) string {
	text := heading + "\n"
	for _, name := range names {
		text += name + "\n"
	}
	return fmt.Sprintf("%s%s%x\n", text, sum, sha256.Sum256([]byte(text)))
}

// UnreadableError is a list that cannot be read as it was written.
type UnreadableError struct {
	Database, File string
	Err            error
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("which plugins are enabled in database %s is unknown, so that only cpu may run: %s: %v; "+
		"`penstock plugin disable --all --db %s` begins the list anew", e.Database, e.File, e.Err, e.Database)
}

func (e *UnreadableError) Unwrap() error { return e.Err }

// Enable adds plugins to the list of the database at dir, and makes one if there is none.
//
// Errors: *UnreadableError, those of writing the file.
func Enable(dir string, plugins ...string) error {
	return change(dir, func(names []string) []string {
		names = append(names, plugins...)
		slices.Sort(names)
		return slices.Compact(names)
	})
}

// Disable removes plugins from the list of the database at dir. Where there is none it makes one, of none.
//
// Errors: *UnreadableError, those of writing the file.
func Disable(dir string, plugins ...string) error {
	return change(dir, func(names []string) []string {
		return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(plugins, name) })
	})
}

// Clear gives the database at dir a list of none, whatever there was.
func Clear(dir string) error {
	return locked(dir, func() error { return write(dir, nil) })
}

// change replaces the list as a whole, while no other process does: whoever reads it, and a crash, finds the old one or
// the new one.
func change(dir string, edit func([]string) []string) error {
	return locked(dir, func() error {
		l := Read(dir)
		if l.Unreadable != nil {
			return l.Unreadable
		}
		return write(dir, edit(l.Names))
	})
}

func write(dir string, names []string) error {
	return durable.Replace(filepath.Join(dir, File), []byte(format(names)), 0o644)
}

func locked(dir string, do func() error) error {
	release, err := durable.Exclusive(filepath.Join(dir, File+".lock"), 0o600)
	if err != nil {
		return err
	}
	return errors.Join(do(), release())
}
