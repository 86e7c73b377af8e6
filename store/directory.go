package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	formatFile = "FORMAT"
	dataDir    = "badger"
	// formatLine is what FORMAT holds.
	//
	//	1  first version
	formatLine = "penstock database 1"
)

// prepare sees to it that dir is a database directory, and makes one if create allows.
func prepare(dir string, create bool) error {
	text, err := os.ReadFile(filepath.Join(dir, formatFile))
	if err == nil {
		return checkFormat(dir, string(text))
	}
	if info, statErr := os.Stat(dir); statErr == nil && !info.IsDir() {
		return &NotDatabaseError{Dir: dir}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	found, err := firstEntry(dir)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case found != "":
		return &NotDatabaseError{Dir: dir, Found: found}
	case !create:
		return &MissingError{Dir: dir}
	}
	return initialise(dir)
}

func checkFormat(dir, text string) error {
	line := strings.TrimSpace(text)
	if line == formatLine {
		return nil
	}
	if !strings.HasPrefix(line, "penstock database ") {
		return &NotDatabaseError{Dir: dir, Found: "a FORMAT file of something else"}
	}
	return &VersionError{Dir: dir, Found: line}
}

// firstEntry names something in dir that we did not put there; "" when there is nothing.
func firstEntry(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.Name() != formatFile+".new" && e.Name() != "lost+found" {
			return e.Name(), nil
		}
	}
	return "", nil
}

// initialise writes FORMAT by rename, so that it is whole when it exists.
func initialise(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(dir, formatFile)
	if err := os.WriteFile(path+".new", []byte(formatLine+"\n"), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// removeStubs removes the empty log files that a process leaves when it is killed
// between creating one and giving it its size: Badger takes them for an error. There
// is nothing in them.
func removeStubs(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if ext := filepath.Ext(entry.Name()); ext != ".mem" && ext != ".vlog" {
			continue
		}
		info, err := entry.Info()
		if err == nil && info.Size() == 0 {
			err = os.Remove(filepath.Join(dir, entry.Name()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
