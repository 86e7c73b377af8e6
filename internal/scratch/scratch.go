// Package scratch has places for the files of tests. Every commit waits for the disk to sync, which takes most of the
// time of a test that makes many. A test that is not about the disk keeps its database in memory.
package scratch

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// memory is a file system in memory, on Linux; it is used while it has room bytes left.
const (
	memory = "/dev/shm"
	room   = 1 << 30
)

// Dir is a folder that is removed when the test ends: in memory where the system offers that, else as t.TempDir.
func Dir(t testing.TB) string {
	t.Helper()
	var fs unix.Statfs_t
	if err := unix.Statfs(memory, &fs); err != nil || fs.Bavail*uint64(fs.Bsize) < room {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "penstock-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}
