package intervals

import (
	"bytes"
	"os"
	"slices"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
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
	memory, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
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
		if err := c.finish(1, plan.Fit{}); err != nil {
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

// Parts that are read in their order bring nothing behind them along.
func TestCells_ReadNothingAhead(t *testing.T) {
	onDisk(t)
	const count = 1 << 20
	c, err := newCells(1, count, true)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if err := c.write(make([]byte, 4*count)); err != nil {
		t.Fatal(err)
	}
	if err := c.finish(1, plan.Fit{}); err != nil {
		t.Fatal(err)
	}
	memory, some := mapped(t, c.file, int(c.size)), make([]byte, 64<<10)
	for at := range uint64(16) {
		if err := c.read(some, at*uint64(len(some))); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(50 * time.Millisecond) // what is read ahead comes later
	if pages := cached(t, memory); pages > 0 {
		t.Errorf("%d pages are cached behind what is read", pages)
	}
}

// onlyOnDisk is a state of so many pages, of one column of 8 bytes a vertex, of which nothing is in memory.
func onlyOnDisk(t *testing.T, pages uint64) (o *owner, memory []byte) {
	t.Helper()
	onDisk(t)
	f, err := os.CreateTemp("", "penstock-test-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close(); os.Remove(f.Name()) })
	if _, err := f.Write(make([]byte, pages*page)); err != nil {
		t.Fatal(err)
	}
	memory = mapped(t, f, int(pages*page))
	if err := leaveCache(f); err != nil {
		t.Fatal(err)
	}
	if left := cached(t, memory); left > 0 {
		t.Fatalf("the system keeps %d pages that it is asked to give up", left)
	}
	vertices := pages * page / 8
	s := &state{vertices: vertices, each: vertices, now: make([]uint64, vertices/64), next: make([]uint64, vertices/64)}
	s.columns = []column{{width: 8, sent: true, now: memory, next: memory}}
	cell := &session{cell: [][]byte{make([]byte, 2*8*vertices)}, set: make([]uint64, 2*vertices/64)}
	return &owner{grid: &grid{state: s}, session: cell}, memory
}

// faults is for how many pages this process has had to wait for the disk while it did something.
func faults(t *testing.T, do func()) int64 {
	t.Helper()
	var before, after unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &before); err != nil {
		t.Fatal(err)
	}
	do()
	if err := unix.Getrusage(unix.RUSAGE_SELF, &after); err != nil {
		t.Fatal(err)
	}
	return after.Majflt - before.Majflt
}

// An interval of the state is read together, not page by page, before it is copied, either way.
func TestState_MovesIntervalsTogether(t *testing.T) {
	const pages = 1024
	interval := chunk.Interval{Base: 512 * 100, Count: 512 * 800}
	o, _ := onlyOnDisk(t, pages)
	if n := faults(t, func() { o.load(interval, false) }); n > 400 {
		t.Errorf("load: the disk is waited for %d times, for 800 pages", n)
	}
	o, _ = onlyOnDisk(t, pages)
	if n := faults(t, func() { o.unload(interval, algorithms.NoNorm, false) }); n > 400 {
		t.Errorf("unload: the disk is waited for %d times, for 800 pages", n)
	}
}

// What is sent of sources near each other is read together, and nothing around it, before it is sent. Sources that are
// far apart are left to be read one by one.
func TestSources_AreExpected(t *testing.T) {
	for _, c := range []struct {
		name string
		from uint64 // in pages of the column
		step uint64 // from one source to the next, in vertices
		want int
	}{{"near each other", 200, 64, 100}, {"far apart", 200, 4 * 512, 0}} {
		o, memory := onlyOnDisk(t, 1024)
		cells, err := newCells(1, o.vertices, true)
		if err != nil {
			t.Fatal(err)
		}
		defer cells.close()
		cells.room(0)
		count := 100 * 512 / c.step
		if _, err := cells.addSources(0, count, func(visit func(uint64)) {
			for k := range count {
				visit(512*c.from + k*c.step)
				o.now[(512*c.from+k*c.step)/64] |= 1 << ((k * c.step) % 64)
			}
		}); err != nil {
			t.Fatal(err)
		}
		o.cells, o.ids = cells, make([]byte, plan.SourceBytes*count)
		if err := o.chooseOf(cells.last(0).sources[0], 0); err != nil || uint64(len(o.chosen)) != count {
			t.Fatalf("%d of %d sources are chosen, %v", len(o.chosen), count, err)
		}
		for began := time.Now(); cached(t, memory) < c.want && time.Since(began) < time.Minute; {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond) // more would come later
		if got := cached(t, memory); got != c.want {
			t.Errorf("%s: %d pages are read, of %d", c.name, got, c.want)
		}
	}
}
