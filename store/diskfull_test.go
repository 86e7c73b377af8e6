//go:build linux

package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// smallDisk mounts a file system of size bytes in memory.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("needs the right to mount a small file system:", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// A load that does not fit leaves the database as it was, and usable; whether the
// chunks do not fit or the temporary files.
func TestLoad_DiskFull(t *testing.T) {
	for _, c := range []struct {
		name, size string
		memory     int64
	}{{"chunks", "64m", 0}, {"temporary files", "64m", 1}} {
		t.Run(c.name, func(t *testing.T) {
			dir := smallDisk(t, c.size)
			reopen(t, dir, func(db *DB) {
				_, err := db.Load(t.Context(), "small", edgeModel([2]int{1, 2}), LoadOptions{})
				must(t, err)
				m := &repeated{edgeModel([2]int{1, 2}, [2]int{2, 3}), 3_000_000}
				var full *DiskFullError
				if _, err = db.Load(t.Context(), "big", m, LoadOptions{Memory: c.memory}); !errors.As(err, &full) {
					t.Errorf("%T %v", err, err)
				}
				assertNothingUnnamed(t, db)
			})
			reopen(t, dir, func(db *DB) {
				must(t, db.Verify(t.Context(), "small"))
				must(t, db.Drop(t.Context(), "small"))
			})
		})
	}
}

// A disk that something else has filled is reported before Badger writes to it.
func TestOpen_DiskFull(t *testing.T) {
	dir := smallDisk(t, "64m")
	reopen(t, dir, func(db *DB) {
		_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}), LoadOptions{})
		must(t, err)
	})
	filler := filepath.Join(dir, "filler")
	f, err := os.Create(filler)
	must(t, err)
	for err == nil {
		_, err = f.Write(make([]byte, 1<<20))
	}
	must(t, f.Close())
	var full *DiskFullError
	if _, err := Open(dir, Options{}); !errors.As(err, &full) {
		t.Error(err)
	}
	must(t, os.Remove(filler))
	reopen(t, dir, func(db *DB) { must(t, db.Verify(t.Context(), "g")) })
}
