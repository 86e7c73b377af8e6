package registry

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/penstock-db/penstock/internal/durable"
)

// unfinished begins the names of folders in which something is put together.
const unfinished = ".install-"

// downloading begins the names of folders into which packages are fetched, which may take long: several processes do so
// at a time. One to which nothing has come for an hour is of a process that has been killed: a server is not silent for
// so long, see package index.
const (
	downloading = ".download-"
	forgotten   = time.Hour
)

// isForgotten tells whether nothing has come to a folder for long.
func isForgotten(folder string) bool {
	names := []string{"."}
	entries, _ := os.ReadDir(folder) // of one that is gone, nothing
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	for _, name := range names {
		info, err := os.Stat(filepath.Join(folder, name))
		if err == nil && time.Since(info.ModTime()) < forgotten {
			return false
		}
	}
	return true
}

// sweep removes folders that the lock file does not name: of installations that have been killed, and of what has been
// replaced. The latter stay until something else is installed, for a run may be using them. Nobody else changes the
// plugin directory meanwhile, and only what this package has made is removed.
func sweep(dir string, lock *Lock) error {
	used := map[string]bool{}
	for name, locked := range lock.Plugins {
		used[name] = used[name] || locked.Folder == "" && locked.Runtime == nil
		used[locked.Folder] = true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		ours := strings.HasPrefix(name, downloading) && isForgotten(filepath.Join(dir, name)) ||
			strings.HasPrefix(name, unfinished) || beside.MatchString(name) || slices.Contains(lock.Stale, name)
		if ours && !used[name] {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, name)))
		}
	}
	lock.Stale = nil
	return err
}

// publish puts a finished folder into the plugin directory, under a name that nothing has, and names it in the lock
// file's next content. What it replaces is swept later.
func publish(dir string, lock *Lock, name, finished string, locked Locked) error {
	old, there := lock.Plugins[name]
	if there && old.Folder == "" && old.Runtime == nil {
		lock.Stale = append(lock.Stale, name)
	}
	if free := !slices.Contains(lock.Stale, name); locked.packaged() || !free {
		unique := filepath.Base(finished)
		locked.Folder = name + "@" + unique[len(unique)-8:]
	}
	target := filepath.Join(dir, cmp.Or(locked.Folder, name))
	if err := os.RemoveAll(target); err != nil { // the lock file does not name it
		return err
	}
	if err := os.Rename(finished, target); err != nil {
		return err
	}
	lock.Plugins[name] = locked
	return durable.SyncDir(dir)
}
