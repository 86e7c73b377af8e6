package registry

import (
	"errors"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/launch"
)

// Verify compares every file of the named plugins (none: all) with the lock
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
		wrong = append(wrong, verifyFiles(r.dir, name, locked))
	}
	return errors.Join(wrong...)
}

func verifyFiles(dir string, name string, locked Locked) error {
	var wrong []error
	if locked.packaged() {
		return verifyPackage(dir, name, locked)
	}
	for _, file := range files(dir, name, locked) {
		err := file.Verify()
		if changed := new(launch.ChecksumError); err != nil && !errors.As(err, &changed) {
			err = &LostError{Plugin: name, File: file.Path, Err: err}
		}
		wrong = append(wrong, err)
	}
	return errors.Join(wrong...)
}

// verifyPackage compares a package with the lock file, and each file with the package.
func verifyPackage(dir string, name string, locked Locked) error {
	kept := launch.File{Path: filepath.Join(dir, locked.Folder, packageFile), SHA256: locked.Platforms[Platform].Package}
	spec, err := packagedSpec(dir, name, locked)
	if err == nil {
		err = spec.VerifyPackage()
	}
	return errors.Join(kept.Verify(), err, Keyring{dir}.verify(name, locked))
}

// files are those that a plugin consists of.
func files(dir string, name string, locked Locked) (files []launch.File) {
	for _, file := range locked.Platforms {
		files = append(files, launch.File{Path: filepath.Join(dir, locked.folder(name), file.File), SHA256: file.SHA256})
	}
	if locked.Runtime != nil {
		files = append(files, locked.Runtime.Libraries...)
	}
	return files
}

// relock puts the present checksums of a plugin's files into its lock entry. What is from a package must be as it was.
func relock(dir string, name string, locked Locked) error {
	if locked.packaged() {
		return verifyPackage(dir, name, locked)
	}
	for platform, file := range locked.Platforms {
		digest, err := launch.Digest(filepath.Join(dir, locked.folder(name), file.File))
		if err != nil {
			return err
		}
		file.SHA256 = digest
		locked.Platforms[platform] = file
	}
	if locked.Runtime != nil {
		return locked.Runtime.relock()
	}
	return nil
}
