package snapshot

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/pages"
)

// What is in no cache is there once it has been fetched.
func TestFetch_BringsWhatIsNotCached(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), 200_000)
	file, err := os.Create(filepath.Join(t.TempDir(), "000001.vlog"))
	must(t, err)
	defer file.Close()
	_, err = file.Write(content)
	must(t, err)
	must(t, file.Sync())
	must(t, unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED))
	mapped, err := unix.Mmap(int(file.Fd()), 0, len(content), unix.PROT_READ, unix.MAP_SHARED)
	must(t, err)
	defer func() { must(t, unix.Munmap(mapped)) }()
	value := mapped[4097 : len(mapped)-5]
	if pages.Resident(value) {
		t.Skip("the file system of TMPDIR keeps its pages in memory: set TMPDIR to a folder on a disk")
	}
	var r Reader
	must(t, r.fetch(value))
	if !pages.Resident(value) {
		t.Error("it is still not there")
	}
	must(t, r.fetch(content)) // no file's
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
