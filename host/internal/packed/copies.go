package packed

import (
	"errors"
	"sync"
	"time"

	"github.com/penstock-db/penstock/host/internal/report"
)

// Copies are packed copies of the chunks of a run. They are safe for concurrent use.
type Copies struct {
	mu    sync.Mutex // protects all
	file  *file      // nil before the first copy
	all   map[int]copied
	trial int         // the chunk whose copy was read first; -1: none was
	reads map[int]int // of chunks as they are stored
	rates rates
	done  report.CopiesReport
}

// New is none yet.
func New() *Copies { return &Copies{all: map[int]copied{}, reads: map[int]int{}, trial: -1} }

// Read makes a chunk of its copy, at the beginning of dst, if that is sooner than to read the chunk, and tells how many
// bytes the chunk has and how many were read. dst has room for two pages more than the chunk, or the chunk must be read
// as it is stored. A copy that cannot be read is given up. The report counts both.
func (c *Copies) Read(number int, dst []byte) (bytes, read int, ok bool) {
	copied, from := c.of(number)
	if from == nil {
		return 0, 0, false
	}
	began := time.Now()
	read, err := from.read(dst, copied)
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(err, errRoom) {
		c.done.Cramped++
		return 0, 0, false
	}
	if err != nil {
		delete(c.all, number)
		c.done.Lost++
		c.stop(err)
		return 0, 0, false
	}
	if c.trial < 0 {
		c.trial = number
	}
	c.rates.copies.add(copied.bytes, time.Since(began))
	c.done.Reads++
	return copied.bytes, read, true
}

// of is the copy of a chunk, and where; nil: there is none, or it takes longer to read than the chunk. One is read in
// any case, to see that.
func (c *Copies) of(number int) (copied, *file) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, is := c.all[number]
	if !is || c.trial >= 0 && number != c.trial && !c.rates.sooner() {
		return copied{}, nil
	}
	return at, c.file
}

// Offer is told of a chunk that has been read as it is stored, and how long that took. It makes a copy if that pays.
// Until a copy has been read, it makes one in each iteration, to see what that takes. Where it cannot, the report says
// why.
func (c *Copies) Offer(number int, chunk []byte, took time.Duration) {
	if !c.wants(number, len(chunk), took) {
		return
	}
	began := time.Now()
	at, err := c.file.write(chunk)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.stop(err)
		return
	}
	c.rates.making.add(len(chunk), time.Since(began))
	c.all[number] = at
	c.done.Copies++
	c.done.ChunkBytes += uint64(len(chunk))
	c.done.Bytes += uint64(at.packed)
}

// wants tells whether to make a copy of a chunk that has been read so.
func (c *Copies) wants(number, bytes int, took time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rates.whole.add(bytes, took)
	c.reads[number]++
	if _, is := c.all[number]; is || c.done.Why != "" {
		return false
	}
	if c.rates.copies.known() {
		return c.rates.pays(c.reads[number])
	}
	if len(c.all) >= c.reads[number] {
		return false
	}
	if c.file == nil {
		file, err := newFile()
		if err != nil {
			c.stop(err)
			return false
		}
		c.file = file
	}
	return true
}

// stop makes no more copies. Its caller holds mu.
func (c *Copies) stop(why error) {
	if c.done.Why == "" {
		c.done.Why = why.Error()
	}
}

// Close gives all copies up and tells what they have done.
func (c *Copies) Close() report.CopiesReport {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file != nil {
		c.file.Close()
	}
	return c.done
}
