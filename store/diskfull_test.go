//go:build linux

package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/space"
	"golang.org/x/sys/unix"
)

// smallDisk mounts a file system of size bytes in memory.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("needs the right to mount a small file system: run it as root: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
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
	}{{"chunks", "64m", 0}, {"temporary files", "64m", tiny + 1<<20}} {
		t.Run(c.name, func(t *testing.T) {
			dir := smallDisk(t, c.size)
			reopen(t, dir, func(db *DB) {
				_, err := db.Load(t.Context(), "small", edgeModel([2]int{1, 2}), load.Options{})
				must(t, err)
				m := &repeated{edgeModel([2]int{1, 2}, [2]int{2, 3}), 3_000_000}
				var full *failure.DiskFullError
				if _, err = db.Load(t.Context(), "big", m, load.Options{Memory: c.memory}); !errors.As(err, &full) {
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

// Of two writes at a time each finds the space that it was promised.
func TestReserveSpace_TwoAtATime(t *testing.T) {
	dir := smallDisk(t, "64m")
	const some = 10 << 20 // once, beside what every write leaves free, but not twice
	release, err := space.Reserve(dir, some)
	must(t, err)
	var full *DiskFullError
	if _, err := space.Reserve(dir, some); !errors.As(err, &full) {
		t.Error(err)
	}
	if _, err := LeaveRoom(dir, io.Discard).Write(make([]byte, some)); !errors.As(err, &full) {
		t.Error(err)
	}
	release()
	release, err = space.Reserve(dir, some)
	must(t, err)
	release()
}

// A commit is refused that would take of the room which Badger needs, though it would fit.
func TestCommit_DiskFull(t *testing.T) {
	dir := smallDisk(t, "112m")
	reopen(t, dir, func(db *DB) {
		must(t, db.CreateGraph(t.Context(), "g"))
		var full *failure.DiskFullError
		if err := textCommit(t.Context(), db, "g", 64); !errors.As(err, &full) {
			t.Errorf("%T %v", err, err)
		}
		must(t, textCommit(t.Context(), db, "g", 1))
	})
}

// A disk that something else has filled is reported before Badger writes to it.
func TestOpen_DiskFull(t *testing.T) {
	dir := smallDisk(t, "64m")
	reopen(t, dir, func(db *DB) {
		_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}), load.Options{})
		must(t, err)
	})
	filler := fill(t, dir)
	var full *failure.DiskFullError
	if _, err := Open(dir, Options{}); !errors.As(err, &full) {
		t.Error(err)
	}
	must(t, os.Remove(filler))
	reopen(t, dir, func(db *DB) { must(t, db.Verify(t.Context(), "g")) })
}

// fill leaves no byte free, and returns the file that takes them.
func fill(t *testing.T, dir string) (filler string) {
	t.Helper()
	filler = filepath.Join(dir, "filler")
	f, err := os.Create(filler)
	must(t, err)
	for _, step := range []int{1 << 20, 1} {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, step))
		}
	}
	must(t, f.Close())
	if space.Check(dir, 1) == nil {
		t.Fatal("the disk is not full")
	}
	return filler
}

// Without a byte free the database can be opened and read, and dropping a graph gives
// its space back.
func TestDrop_DiskFull(t *testing.T) {
	dir := smallDisk(t, "256m")
	for _, graph := range []string{"kept", "old"} {
		reopen(t, dir, func(db *DB) { must(t, bigLoad(db, graph)) })
	}
	before := diskUsage(t, filepath.Join(dir, directory.DataDir))
	filler := fill(t, dir)
	reopen(t, dir, func(db *DB) { must(t, db.Verify(t.Context(), "old")) })
	must(t, os.Remove(filler))
	reopen(t, dir, func(*DB) {}) // there is room for the ballast again
	fill(t, dir)
	reopen(t, dir, func(db *DB) {
		must(t, db.Drop(t.Context(), "old"))
		must(t, db.Verify(t.Context(), "kept"))
	})
	if now := diskUsage(t, filepath.Join(dir, directory.DataDir)); now > before*3/4 {
		t.Errorf("%d of %d bytes stayed after the drop", now, before)
	}
	must(t, space.Check(dir, space.BallastSize))
}

// A disk that fills up while the database is open does not keep a graph from being dropped.
func TestDrop_DiskFillsMeanwhile(t *testing.T) {
	dir := smallDisk(t, "256m")
	reopen(t, dir, func(db *DB) { must(t, bigLoad(db, "old")) })
	reopen(t, dir, func(db *DB) {
		fill(t, dir)
		must(t, db.Drop(t.Context(), "old"))
	})
	must(t, space.Check(dir, space.BallastSize))
}

// What commits have left in memory can be written when the database is closed.
func TestClose_DiskFillsMeanwhile(t *testing.T) {
	dir := smallDisk(t, "128m")
	reopen(t, dir, func(db *DB) { must(t, db.CreateGraph(t.Context(), "g")) })
	reopen(t, dir, func(db *DB) {
		must(t, fillTables(t.Context(), db, "g", 6<<20))
		fill(t, dir)
	})
	reopen(t, dir, func(db *DB) { must(t, db.Verify(t.Context(), "g")) })
}

// Tables that a process wrote before it met the full disk are deleted before space is asked for.
func TestOpen_DeletesStrayTables(t *testing.T) {
	dir := smallDisk(t, "64m")
	reopen(t, dir, func(db *DB) { must(t, db.CreateGraph(t.Context(), "g")) })
	must(t, os.WriteFile(filepath.Join(dir, directory.DataDir, "999999.sst"), make([]byte, 8<<20), 0o644))
	fill(t, dir)
	reopen(t, dir, func(db *DB) { must(t, db.Verify(t.Context(), "g")) })
}
