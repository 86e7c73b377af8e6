package packed

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/internal/testseed"
)

const (
	slow = time.Hour       // how long it takes to read a chunk, so that copies pay,
	fast = time.Nanosecond // or do not
)

// slot has room for a chunk, as slots of a plan have: whole pages, and two pages more.
func slot(t *testing.T, bytes int) []byte {
	t.Helper()
	b, err := pages.Scratch(whole(bytes + 2*page))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pages.Free(b) })
	return b
}

// onDisk skips a test where temporary files are in memory.
func onDisk(t *testing.T) {
	t.Helper()
	f, err := newFile()
	if err != nil {
		t.Skipf("set TMPDIR to a folder of ext4 or XFS: %v", err)
	}
	f.Close()
}

func someChunks(rng *rand.Rand) (chunks [][]byte) {
	for range 6 {
		chunks = append(chunks, chunkLike(rng, 1+rng.IntN(10000)))
	}
	return chunks
}

// What is read of a copy is what was packed, into a slot that has no room for both, and little was read.
func TestFile(t *testing.T) {
	onDisk(t)
	rng := testseed.Rand(t)
	f, err := newFile()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	chunks := someChunks(rng)
	all := make([]copied, len(chunks))
	var writing sync.WaitGroup
	for i, c := range chunks {
		writing.Go(func() {
			var err error
			if all[i], err = f.write(c); err != nil {
				t.Error(err)
			}
		})
	}
	writing.Wait()
	for i, c := range chunks {
		dst := slot(t, len(c)+page)[64*rng.IntN(page/64):] // chunks lie behind each other
		before := meter.ReadsOf(os.Getpid())
		read, err := f.read(dst, all[i])
		if disk := before.Since(); disk != nil && *disk < uint64(read) {
			t.Errorf("%d bytes of a copy were read, but %d from the disk: the system's cache has the rest", read, *disk)
		}
		if err != nil || !bytes.Equal(dst[:len(c)], c) {
			t.Fatalf("copy %d of %d bytes is another: %v", i, len(c), err)
		}
		if read != whole(all[i].packed) || read > whole(len(c)+len(c)/blockBytes+1) {
			t.Errorf("%d bytes were read of a copy of %d", read, all[i].packed)
		}
	}
	at := all[0]
	if _, err := f.read(slot(t, len(chunks[0]))[:whole(at.ahead)], at); !errors.Is(err, errRoom) {
		t.Errorf("a copy was unpacked over itself: %v", err)
	}
}

// reading is a run that reads chunks, each so often, and stores take so long.
func reading(t *testing.T, c *Copies, chunks [][]byte, often int, took time.Duration) (fromCopies int) {
	t.Helper()
	for range often {
		for i, chunk := range chunks {
			dst := slot(t, len(chunk))
			n, _, ok := c.Read(i, dst)
			if ok {
				fromCopies++
			} else {
				n = copy(dst, chunk)
				c.Offer(i, dst[:n], took)
			}
			if !bytes.Equal(dst[:n], chunk) {
				t.Fatalf("chunk %d is another", i)
			}
		}
	}
	return fromCopies
}

// The first chunk is copied to see what that takes. If copies are read sooner, all others are copied when they are read
// again, and read no more as they are stored; if they are not, no more copies are made, and one is read on, to see.
func TestCopies(t *testing.T) {
	onDisk(t)
	chunks := someChunks(testseed.Rand(t))
	n := uint64(len(chunks))
	c := New()
	reading(t, c, chunks, 5, slow)
	if done := c.Close(); done.Copies != n || done.Reads != 4+(n-1)*3 || done.Why != "" || done.Lost > 0 || done.Bytes >= done.ChunkBytes {
		t.Errorf("if they pay: %+v", done)
	}
	c = New()
	reading(t, c, chunks, 5, fast)
	if done := c.Close(); done.Copies != 1 || done.Reads != 4 || done.Why != "" {
		t.Errorf("if they do not: %+v", done)
	}
	c = New()
	reading(t, c, chunks, 1, slow)
	if done := c.Close(); done.Copies != 1 || done.Reads != 0 {
		t.Errorf("if nothing is read again: %+v", done)
	}
}

// Copies that come to take longer than what they are copies of are read no more, but for one, to see.
func TestCopies_NotSooner(t *testing.T) {
	onDisk(t)
	chunks := someChunks(testseed.Rand(t))
	c := New()
	defer c.Close()
	reading(t, c, chunks, 3, slow)
	c.rates.whole = rate{0}
	if from := reading(t, c, chunks, 1, fast); from != 1 {
		t.Errorf("%d copies were read", from)
	}
}

// If the chunk that was copied first is never read again, another is copied to see, and then all.
func TestCopies_FirstNotReadAgain(t *testing.T) {
	onDisk(t)
	chunks := someChunks(testseed.Rand(t))
	c := New()
	defer c.Close()
	reading(t, c, chunks, 1, slow)
	for range 3 {
		for i, chunk := range chunks[1:] {
			if dst := slot(t, len(chunk)); !second(c.Read(1+i, dst)) {
				c.Offer(1+i, chunk, slow)
			}
		}
	}
	if n := uint64(len(chunks)); c.done.Copies != n || c.done.Reads != n {
		t.Errorf("%+v", c.done)
	}
}

func second(_, _ int, ok bool) bool { return ok }

// A copy that is not what was written is given up and told, and what was read for it was not taken for the chunk.
func TestCopies_Damaged(t *testing.T) {
	onDisk(t)
	rng := testseed.Rand(t)
	chunks := someChunks(rng)
	c := New()
	reading(t, c, chunks, 3, slow)
	for i := range chunks {
		at, room := c.all[i], slot(t, page)[:page]
		where := at.offset + int64(rng.IntN(at.packed)/page*page)
		if _, err := c.file.ReadAt(room, where); err != nil {
			t.Fatal(err)
		}
		room[rng.IntN(min(page, int(at.offset)+at.packed-int(where)))] ^= 1 << rng.IntN(8)
		if _, err := c.file.WriteAt(room, where); err != nil {
			t.Fatal(err)
		}
	}
	if from := reading(t, c, chunks, 1, slow); from > 0 {
		t.Errorf("%d damaged copies were read", from)
	}
	if done := c.Close(); done.Lost != uint64(len(chunks)) || done.Why == "" {
		t.Errorf("%+v", done)
	}
}

// Where nothing can be written, chunks are read as they are stored, and why is told.
func TestCopies_None(t *testing.T) {
	chunks := someChunks(testseed.Rand(t))
	t.Setenv("TMPDIR", "/nowhere")
	c := New()
	if from := reading(t, c, chunks, 3, slow); from > 0 {
		t.Errorf("%d copies", from)
	}
	if done := c.Close(); done.Copies > 0 || !strings.Contains(done.Why, "/nowhere") {
		t.Errorf("%+v", done)
	}
}

// Where there is no room to unpack a copy, the chunk is read as it is stored, and its copy stays.
func TestCopies_Cramped(t *testing.T) {
	onDisk(t)
	chunks := someChunks(testseed.Rand(t))
	c := New()
	reading(t, c, chunks, 2, slow)
	for i, chunk := range chunks {
		if second(c.Read(i, make([]byte, len(chunk)))) {
			t.Errorf("chunk %d was unpacked over its copy", i)
		}
	}
	if from := reading(t, c, chunks, 1, slow); from != len(chunks) {
		t.Errorf("%d chunks have copies", from)
	}
	if done := c.Close(); done.Cramped != uint64(len(chunks)) || done.Lost > 0 || done.Why != "" {
		t.Errorf("%+v", done)
	}
}

// Where the disk does not take what is written, or give it back, copies end, and chunks are read as they are stored.
func TestCopies_DiskFails(t *testing.T) {
	onDisk(t)
	chunks := someChunks(testseed.Rand(t))
	c := New()
	reading(t, c, chunks, 1, slow)
	c.file.Close()
	if from := reading(t, c, chunks, 2, slow); from > 0 {
		t.Errorf("%d copies were read", from)
	}
	if done := c.Close(); done.Copies != 1 || done.Lost != 1 || done.Why == "" {
		t.Errorf("%+v", done)
	}
}

// Copies leave room on the disk.
func TestFile_Room(t *testing.T) {
	onDisk(t)
	f, err := newFile()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	chunk := make([]byte, blockBytes)
	if _, err := f.write(chunk); err != nil {
		t.Error(err)
	}
	f.left = 1 << 60
	if _, err := f.write(chunk); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("an exbibyte is left: %v", err)
	}
}

// Files in memory would take what there is too little of.
func TestCopies_InMemory(t *testing.T) {
	var about unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &about); err != nil || about.Type != unix.TMPFS_MAGIC {
		t.Skip("/dev/shm is no folder in memory")
	}
	t.Setenv("TMPDIR", "/dev/shm")
	c := New()
	reading(t, c, someChunks(testseed.Rand(t)), 3, slow)
	if done := c.Close(); done.Copies > 0 || !strings.Contains(done.Why, errMemory.Error()) {
		t.Errorf("%+v", done)
	}
}

// A chunk is copied when it has been read so often that a copy would have cost no more. One read that took long changes
// nothing.
func TestRates_Pays(t *testing.T) {
	of := func(whole, copies, making float64) rates {
		return rates{rate{whole, 100, whole}, rate{making}, rate{copies, copies, 100}}
	}
	for _, c := range []struct {
		rates rates
		reads int // so many are needed; 0: no number is enough
	}{{of(3, 1, 2), 1}, {of(3, 1, 5), 3}, {of(3, 2, 5), 5}, {of(3, 3, 1), 0}, {of(3, 4, 1), 0}} {
		for reads := 1; reads < 10; reads++ {
			if got, want := c.rates.pays(reads), c.reads > 0 && reads >= c.reads; got != want {
				t.Errorf("%+v after %d reads: %v", c.rates, reads, got)
			}
		}
	}
	if (rates{whole: rate{1}}).sooner() || of(1, 1, 1).sooner() || !of(2, 1, 1).sooner() {
		t.Error("sooner")
	}
}
