package backup

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
)

// isBeside tells whether a file of a database goes with its graphs: who may log in to a server, which plugins may run,
// and a model that has learned. Nothing else is taken out of a backup: a name in one leads nowhere else.
var isBeside = regexp.MustCompile(`^(users|plugins[.]enabled|models/[A-Za-z0-9][A-Za-z0-9._-]*\.arrow)$`).MatchString

// namesBeside lists the files of the database at dir that go with its graphs.
func namesBeside(dir string) ([]string, error) {
	names := []string{"users", "plugins.enabled"}
	models, err := os.ReadDir(filepath.Join(dir, "models"))
	for _, m := range models {
		if name := path.Join("models", m.Name()); isBeside(name) {
			names = append(names, name)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return names, err
}

// writeBeside writes them.
func writeBeside(dir string, out *recordWriter) error {
	b := batch{to: out, kind: fileRecord}
	names, err := namesBeside(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, os.ErrNotExist) {
			continue // it is removed as the backup is made
		}
		if err := errors.Join(err, b.add([]byte(name), content)); err != nil {
			return err
		}
	}
	return b.flush()
}
