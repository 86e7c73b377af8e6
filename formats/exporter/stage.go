package exporter

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// stage is a hidden folder in which files are made before they appear in dir. It lies
// in dir so that a rename never crosses file systems.
type stage struct {
	dir, temporary string
	files          []string // what may be made
	made           bool     // dir did not exist
}

// newStage fails with an *ExistsError when one of files exists, unless overwrite.
func newStage(dir string, files []string, overwrite bool) (*stage, error) {
	s := &stage{dir: dir, files: files}
	for _, name := range files {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil && !overwrite {
			return nil, &ExistsError{File: path}
		}
	}
	_, err := os.Stat(dir)
	s.made = errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	s.temporary, err = os.MkdirTemp(dir, ".penstock-export-")
	return s, err
}

// publish moves what was made into dir, after it is on the disk, and removes what an
// earlier export made and this one did not.
func (s *stage) publish() error {
	for _, name := range s.files {
		if err := syncPath(filepath.Join(s.temporary, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, name := range s.files {
		err := os.Rename(filepath.Join(s.temporary, name), filepath.Join(s.dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			err = os.RemoveAll(filepath.Join(s.dir, name))
		}
		if err != nil {
			return err
		}
		s.made = false
	}
	return syncPath(s.dir)
}

// remove removes what was not published, and dir when it was made for nothing.
func (s *stage) remove() {
	os.RemoveAll(s.temporary)
	if s.made {
		os.Remove(s.dir)
	}
}

// syncPath waits until a file's bytes, or a folder's names, are on the disk.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
