package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// LockFile is the name of the lock file in a plugin directory.
const LockFile = "plugins.lock.json"

// lockVersion of the lock file. 1: the first.
const lockVersion = 1

// Lock is the content of the lock file.
type Lock struct {
	Version int               `json:"version"`
	Plugins map[string]Locked `json:"plugins"`
}

// Locked is what was installed under a name.
type Locked struct {
	Version   string          `json:"version"`
	Source    string          `json:"source"`
	Platforms map[string]File `json:"platforms,omitempty"`
	Runtime   *Runtime        `json:"runtime,omitempty"` // of the NPU plugin, which has no program of its own
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
		return &ManifestError{File: path, Field: "version",
			Err: fmt.Errorf("%d is not known; this program reads version %d", l.Version, lockVersion)}
	}
	for name, locked := range l.Plugins {
		if !validName.MatchString(name) || isBuiltIn(name) {
			return &ManifestError{File: path, Field: "plugins", Err: fmt.Errorf("%q is no plugin name", name)}
		}
		if err := locked.check(name); err != nil {
			err.File = path
			return err
		}
	}
	return nil
}

func (l Locked) check(name string) *ManifestError {
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

// change rewrites the lock file in one step, while no other process does.
func (r *Registry) change(edit func(*Lock) error) error {
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	unlock, err := exclusive(filepath.Join(r.dir, ".lock"))
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	lock, err := r.readLock()
	if err != nil {
		return err
	}
	if err := edit(lock); err != nil {
		return err
	}
	text, err := json.MarshalIndent(lock, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(r.lockPath(), append(text, '\n'))
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
			if err := r.relock(name, locked); err != nil {
				return err
			}
		}
		return nil
	})
}
