package store

import (
	"os"
	"testing"

	"github.com/penstock-db/penstock/store/internal/space"
)

// scratch is a temporary directory in memory where the system offers one: nothing
// tested here depends on the medium, and the disk's syncs would take most of the time.
func scratch(t testing.TB) string {
	t.Helper()
	const memory = "/dev/shm"
	if space.Check(memory, 1<<30) != nil {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "penstock-store-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
