package launch

import (
	"errors"
	"os"
	"sync"
	"syscall"

	"github.com/penstock-db/penstock/internal/handover"
)

// courier hands a plugin the files that its host names to it. Nil: the plugin opens them itself.
type courier struct {
	giver *handover.Giver

	mu    sync.Mutex             // protects given
	given map[string]os.FileInfo // what is read, and kept
	lent  map[string]os.FileInfo // what is written as well
}

// newCourier is a courier and the end of its socket that the plugin inherits. Both are nil where the system confines no
// plugin.
func newCourier() (*courier, *os.File, error) {
	giver, socket, err := handover.Pair()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	return &courier{giver: giver, given: map[string]os.FileInfo{}, lent: map[string]os.FileInfo{}}, socket, nil
}

// give hands a file over, to write it as well or to read it only. The plugin keeps what it reads: that is given once,
// while it is the same file.
func (c *courier) give(path string, write bool) error {
	if c == nil {
		return nil
	}
	mode := os.O_RDONLY
	if write {
		mode = os.O_RDWR
	}
	file, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.given[path]; ok && !write && os.SameFile(known, info) {
		return nil
	}
	if err := c.giver.Give(path, file); errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
		return nil // the plugin has ended, and what is asked of it next will tell
	} else if err != nil {
		return err
	}
	if write {
		c.lent[path] = info
	} else {
		c.given[path] = info
	}
	return nil
}

// handed are the bytes of all files that the plugin was given.
func (c *courier) handed() (bytes uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, files := range []map[string]os.FileInfo{c.given, c.lent} {
		for _, info := range files {
			bytes += uint64(info.Size())
		}
	}
	return bytes
}

func (c *courier) close() {
	if c != nil {
		_ = c.giver.Close()
	}
}
