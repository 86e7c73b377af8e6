package intervals

import (
	"bytes"
	"os"
	"slices"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/formats/chunk"
)

// onDisk skips a test whose files would lie in memory: there is nothing to give up.
func onDisk(t *testing.T) {
	t.Helper()
	var disk unix.Statfs_t
	if err := unix.Statfs(os.TempDir(), &disk); err != nil {
		t.Fatal(err)
	}
	if disk.Type == unix.TMPFS_MAGIC {
		t.Skip("temporary files lie in memory: set TMPDIR to a folder on a disk")
	}
}

// mapped is a file in memory.
func mapped(t *testing.T, f *os.File, size int) []byte {
	t.Helper()
	memory, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(memory) })
	if err := unix.Madvise(memory, unix.MADV_RANDOM); err != nil { // as an arena on disk is
		t.Fatal(err)
	}
	return memory
}

// cached is how many pages of mapped memory are in the system's cache.
func cached(t *testing.T, memory []byte) int {
	t.Helper()
	held := make([]byte, (len(memory)+page-1)/page)
	_, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&memory[0])), uintptr(len(memory)),
		uintptr(unsafe.Pointer(&held[0])))
	if errno != 0 {
		t.Fatal(errno)
	}
	return len(held) - bytes.Count(held, []byte{0})
}

// Where memory is scarce, cells leave nothing in the system's cache, neither when they are written nor when they are
// read, and are what they were; else they stay there.
func TestCells_LeaveTheCache(t *testing.T) {
	onDisk(t)
	const count = 1 << 20
	for _, scarce := range []bool{false, true} {
		c, err := newCells(1, count, scarce)
		if err != nil {
			t.Fatal(err)
		}
		defer c.close()
		c.room(0)
		_, err = c.addSources(0, count, func(visit func(uint64)) {
			for v := range uint64(count) {
				visit(3 * v)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.finish(); err != nil {
			t.Fatal(err)
		}
		memory := mapped(t, c.file, int(c.size))
		if pages := cached(t, memory); scarce != (pages == 0) {
			t.Errorf("scarce %t: %d pages are cached once all is written", scarce, pages)
		}
		some := make([]byte, 1<<20)
		if err := c.read(some, 1<<20); err != nil {
			t.Fatal(err)
		}
		if pages := cached(t, memory); scarce != (pages == 0) {
			t.Errorf("scarce %t: %d pages are cached after a part is read", scarce, pages)
		}
		if !slices.Equal(some, memory[1<<20:2<<20]) {
			t.Errorf("scarce %t: another part is read", scarce)
		}
	}
}

// What is needed of a column is read together, and nothing around it. Sources that are far apart are left to be read
// one by one.
func TestState_ReadsWhatIsNeeded(t *testing.T) {
	onDisk(t)
	f, err := os.CreateTemp("", "penstock-test-*")
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	const pages = 1024
	if _, err := f.Write(make([]byte, pages*page)); err != nil {
		t.Fatal(err)
	}
	memory := mapped(t, f, pages*page)
	far, near := []uint64{0, 400 * 512}, make([]uint64, 100)
	for i := range near {
		near[i] = uint64(512 * (200 + i))
	}
	s := &state{scarce: true, columns: []column{{width: 8, sent: true, now: memory}}}
	for _, c := range []struct {
		name string
		need func()
		want int
	}{
		{"an interval", func() { s.need(memory, 8, chunk.Interval{Base: 512 * 100, Count: 512 * 200}) }, 200},
		{"sources near each other", func() { s.expect(near) }, 100},
		{"sources far apart", func() { s.expect(far) }, 0},
		{"none", func() { s.expect(nil) }, 0},
	} {
		if err := leaveCache(f); err != nil {
			t.Fatal(err)
		}
		if left := cached(t, memory); left > 0 {
			t.Skipf("the system keeps %d pages that it is asked to give up", left)
		}
		c.need()
		began := time.Now()
		for cached(t, memory) < c.want && time.Since(began) < 10*time.Second {
			time.Sleep(time.Millisecond)
		}
		if got := cached(t, memory); got != c.want {
			t.Errorf("%s: %d pages are read, of %d", c.name, got, c.want)
		}
	}
}
