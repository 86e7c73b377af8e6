package arena_test

import (
	"bufio"
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/plugins/arena"
)

// An arena on disk has its blocks from the beginning, and no name. What the disk has no room for is refused.
func TestCreateOnDisk_ReservesItsBlocks(t *testing.T) {
	dir := t.TempDir()
	free := func() uint64 {
		var disk unix.Statfs_t
		if err := unix.Statfs(dir, &disk); err != nil {
			t.Fatal(err)
		}
		return disk.Bavail * uint64(disk.Bsize)
	}
	const size = 3 << 20
	a, err := arena.CreateOnDisk(dir, size)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	words, err := a.Uint64s(arena.Range{Length: size})
	if err != nil || words[0] != 0 || words[len(words)-1] != 0 {
		t.Fatalf("%d words, %v", len(words), err)
	}
	words[len(words)-1] = 7
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if _, err := arena.CreateOnDisk(dir, 2*free()+size); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("of twice what is free: %v", err)
	}
}

// A page that is touched is read alone.
func TestCreateOnDisk_ReadsSinglePages(t *testing.T) {
	a, err := arena.CreateOnDisk(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer maps.Close()
	within := false
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		text := lines.Text()
		if flags, ok := strings.CutPrefix(text, "VmFlags:"); ok && within {
			if !strings.Contains(flags+" ", " rr ") {
				t.Errorf("the mapping's flags are%s, without rr, for reading at random", flags)
			}
			return
		}
		within = within || strings.Contains(text, "penstock-state-")
	}
	t.Error("the arena is mapped nowhere")
}
