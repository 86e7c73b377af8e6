package registry

import (
	"errors"
	"path/filepath"

	"github.com/penstock-db/penstock/host/launch"
)

// Verify compares every installed program of the named plugins (none: all) with the lock
// file. Its error joins one *launch.ChecksumError or *LostError for each that is wrong.
func (r *Registry) Verify(names ...string) error {
	lock, err := r.readLock()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		names = lock.names()
	}
	var wrong []error
	for _, name := range names {
		locked, ok := lock.Plugins[name]
		if !ok {
			return &UnknownPluginError{Name: name, Dir: r.dir, Installed: lock.names()}
		}
		wrong = append(wrong, r.verifyFiles(name, locked))
	}
	return errors.Join(wrong...)
}

func (r *Registry) verifyFiles(name string, locked Locked) error {
	var wrong []error
	for _, file := range locked.Platforms {
		path := filepath.Join(r.dir, name, file.File)
		switch found, err := launch.Digest(path); {
		case err != nil:
			wrong = append(wrong, &LostError{Plugin: name, File: path, Err: err})
		case found != file.SHA256:
			wrong = append(wrong, &launch.ChecksumError{File: path, Expected: file.SHA256, Found: found})
		}
	}
	return errors.Join(wrong...)
}

// relock puts the present checksums of a plugin's programs into its lock entry.
func (r *Registry) relock(name string, locked Locked) error {
	for platform, file := range locked.Platforms {
		digest, err := launch.Digest(filepath.Join(r.dir, name, file.File))
		if err != nil {
			return err
		}
		file.SHA256 = digest
		locked.Platforms[platform] = file
	}
	return nil
}
