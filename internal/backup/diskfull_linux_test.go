package backup

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/store"
)

// A backup or a restore that does not fit is refused as such and leaves nothing.
func TestDiskFull(t *testing.T) {
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("needs the right to mount a small file system: run it as root: ", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(disk, unix.MNT_DETACH)) })
	dir := t.TempDir()
	db := sample(t, filepath.Join(dir, "db"))
	var full *store.DiskFullError
	if err := tryCreate(db, "", filepath.Join(disk, "full"), "", Options{}); !errors.As(err, &full) || full.Dir != disk {
		t.Error(err)
	}
	// It would fit here, but databases on this disk may need the room.
	must(t, unix.Mount("tmpfs", disk, "tmpfs", unix.MS_REMOUNT, "size=40m"))
	if err := tryCreate(db, "", filepath.Join(disk, "full"), "", Options{}); !errors.As(err, &full) {
		t.Error(err)
	}
	path := filepath.Join(dir, "full")
	create(t, db, "", path, "", Options{})
	for _, size := range []string{"1m", "20m", "40m"} {
		must(t, unix.Mount("tmpfs", disk, "tmpfs", unix.MS_REMOUNT, "size="+size))
		if err := check(path, filepath.Join(disk, "new")); !errors.As(err, &full) {
			t.Errorf("%s: %v", size, err)
		}
		if left, err := os.ReadDir(disk); err != nil || len(left) > 0 {
			t.Error(size, left, err)
		}
	}
}
