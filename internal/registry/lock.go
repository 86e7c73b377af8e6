package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/distribution/archive"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/durable"
)

// LockFile is the name of the lock file in a plugin directory.
const LockFile = "plugins.lock.json"

// lockVersion of the lock file. 1: the first.
const lockVersion = 1

// Lock is the content of the lock file.
type Lock struct {
	Version int               `json:"version"`
	Plugins map[string]Locked `json:"plugins"`
	Stale   []string          `json:"stale,omitempty"` // folders of what was replaced, in which plugins may still run
}

// Locked is what was installed under a name.
type Locked struct {
	Version   string          `json:"version"`
	Source    string          `json:"source"`
	Index     string          `json:"index,omitempty"`  // from which it was installed
	Pin       string          `json:"pin,omitempty"`    // a range of versions that may take its place
	Folder    string          `json:"folder,omitempty"` // in the plugin directory; empty: the name's
	Signer    string          `json:"signer,omitempty"` // the public key of who has signed its package
	Platforms map[string]File `json:"platforms,omitempty"`
	Runtime   *Runtime        `json:"runtime,omitempty"` // of the NPU plugin, which has no program of its own
	// Algorithms are those that the plugin brings along.
	Algorithms []algorithms.Definition `json:"algorithms,omitempty"`
}

// File is a program for one platform, and the package that it is from, if it is from one.
type File struct {
	File     string `json:"file"` // below the plugin's folder
	SHA256   string `json:"sha256"`
	Package  string `json:"package,omitempty"`  // its SHA-256
	Manifest string `json:"manifest,omitempty"` // likewise; it has the SHA-256 of all other files of the package
}

// packaged tells whether a package was installed.
func (l Locked) packaged() bool { return l.Platforms[Platform].Package != "" }

// folder is where the files of a plugin are, in the plugin directory.
func (l Locked) folder(name string) string {
	switch {
	case l.Folder == "":
		return name
	case l.packaged():
		return filepath.Join(l.Folder, unpackedFolder)
	}
	return l.Folder
}

func (l *Lock) names() []string { return slices.Sorted(maps.Keys(l.Plugins)) }

func (r *Registry) lockPath() string { return filepath.Join(r.dir, LockFile) }

// readLock reads the lock file; none is an empty one.
func (r *Registry) readLock() (*Lock, error) {
	text, err := os.ReadFile(r.lockPath())
	if errors.Is(err, fs.ErrNotExist) {
		return &Lock{Version: lockVersion, Plugins: map[string]Locked{}}, nil
	}
	if err != nil {
		return nil, err
	}
	return parseLock(text, r.lockPath())
}

func parseLock(text []byte, path string) (*Lock, error) {
	lock := &Lock{}
	if err := json.Unmarshal(text, lock); err != nil {
		return nil, &ManifestError{File: path, Err: err}
	}
	if lock.Plugins == nil {
		lock.Plugins = map[string]Locked{}
	}
	return lock, lock.check(path)
}

// check refuses what this package would not have written: a path that leads out of the
// plugin directory must not become a program to run.
func (l *Lock) check(path string) error {
	if l.Version != lockVersion {
		return unknownVersion(path, l.Version, lockVersion)
	}
	for _, folder := range l.Stale {
		if manifest.CheckName(folder) != nil && !beside.MatchString(folder) {
			return &ManifestError{File: path, Field: "stale", Err: fmt.Errorf("%q is no folder of a plugin", folder)}
		}
	}
	for name, locked := range l.Plugins {
		if manifest.CheckName(name) != nil || isBuiltIn(name) {
			return &ManifestError{File: path, Field: "plugins", Err: fmt.Errorf("%q is no plugin name", name)}
		}
		if err := locked.check(name); err != nil {
			err.File = path
			return err
		}
	}
	return nil
}

// beside names folders that replace others: no plugin is called so.
var beside = regexp.MustCompile(`^([a-z0-9][a-z0-9._-]{0,63})@[0-9a-f]{8}$`)

func (l Locked) check(name string) *ManifestError {
	if found := beside.FindStringSubmatch(l.Folder); l.Folder != "" && (found == nil || found[1] != name) {
		return &ManifestError{Field: "plugins/" + name + "/folder", Err: fmt.Errorf("%q is no folder of it", l.Folder)}
	}
	if l.packaged() && l.Folder == "" {
		return &ManifestError{Field: "plugins/" + name + "/folder", Err: errors.New("is missing")}
	}
	if err := pinned(name, l.Pin, l.Version); err != nil {
		return &ManifestError{Field: "plugins/" + name + "/pin", Err: err}
	}
	if err := l.checkSigner(); err != nil {
		return &ManifestError{Field: "plugins/" + name + "/signer", Err: err}
	}
	if _, err := algorithms.DefineAll(l.Algorithms); err != nil {
		return &ManifestError{Field: "plugins/" + name + "/algorithms", Err: err}
	}
	for platform, file := range l.Platforms {
		if err := file.check(); err != nil {
			return &ManifestError{Field: "plugins/" + name + "/" + platform, Err: err}
		}
	}
	if l.Runtime == nil {
		return nil
	}
	err := l.Runtime.check()
	if err == nil && name != NPU {
		err = errors.New("only " + NPU + " has one")
	}
	if err != nil {
		return &ManifestError{Field: "plugins/" + name + "/runtime", Err: err}
	}
	return nil
}

func (l Locked) checkSigner() error {
	if l.Signer == "" {
		return nil
	}
	if !l.packaged() {
		return errors.New("only packages have one")
	}
	_, err := sign.ParseKey(l.Signer)
	return err
}

func (f File) check() error {
	err := archive.CheckName(f.File)
	for _, digest := range []string{f.SHA256, f.Package, f.Manifest} {
		if err == nil && digest != "" {
			err = manifest.CheckDigest(digest)
		}
	}
	if err == nil && (f.SHA256 == "" || (f.Package == "") != (f.Manifest == "")) {
		err = errors.New("a sha256 is missing")
	}
	return err
}

// change rewrites the lock file in one step, while no other process does.
func (r *Registry) change(edit func(*Lock) error) error {
	return exclusively(r.dir, func() error {
		lock, err := r.readLock()
		if err != nil {
			return err
		}
		if err := sweep(r.dir, lock); err != nil {
			return err
		}
		if err := edit(lock); err != nil {
			return err
		}
		return writeVersioned(r.lockPath(), lock)
	})
}

// exclusively waits until no other process changes the plugin directory.
func exclusively(dir string, do func() error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	unlock, err := durable.Exclusive(filepath.Join(dir, ".lock"), 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	return do()
}

// Lock accepts programs and libraries as they are now: their checksums become the expected ones.
// Without names it does so for all.
func (r *Registry) Lock(names ...string) error {
	return r.change(func(lock *Lock) error {
		if len(names) == 0 {
			names = lock.names()
		}
		for _, name := range names {
			locked, ok := lock.Plugins[name]
			if !ok {
				return &UnknownPluginError{Name: name, Dir: r.dir, Installed: lock.names()}
			}
			if err := relock(r.dir, name, locked); err != nil {
				return err
			}
		}
		return nil
	})
}
