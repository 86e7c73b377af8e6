package rows

import (
	"errors"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store"
	"golang.org/x/sys/unix"
)

// Rows leave a database on the same disk the room that it may need, though they would fit.
func TestSpool_DiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=40m"); err != nil {
		t.Skip("needs the right to mount a small file system: run it as root: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	s, err := NewSpool(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Drop()
	err = s.Add([]value.Value{value.OfString(strings.Repeat("x", 2*spoolBuffer))})
	if full := (*store.DiskFullError)(nil); !errors.As(err, &full) {
		t.Errorf("%T %v", err, err)
	}
}
