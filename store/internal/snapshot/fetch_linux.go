package snapshot

import (
	"errors"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/pages"
)

// fetch has a mapped value read into the system's cache, in large blocks, unless it is
// there. Through the mapping it would come in small ones, as it is touched; and a disk that
// fails would kill the process instead of giving an error.
func (r *Reader) fetch(value []byte) error {
	if pages.Resident(value) {
		return nil
	}
	at, ok := r.mapped(value)
	if !ok {
		return nil
	}
	if err := at.readThrough(); errors.Is(err, unix.EIO) {
		return err
	}
	return nil // any other error says that Badger has mapped another file there since
}

const fetchBlock = 1 << 20

var fetchBlocks = sync.Pool{New: func() any {
	b := make([]byte, fetchBlock)
	return &b
}}

// readThrough reads what lies there and forgets it.
func (p Place) readThrough() error {
	file, err := os.Open(p.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	block := fetchBlocks.Get().(*[]byte)
	defer fetchBlocks.Put(block)
	for from, end := p.Offset, p.Offset+p.Length; from < end; from += fetchBlock {
		if _, err := file.ReadAt((*block)[:min(end-from, fetchBlock)], from); err != nil {
			return err
		}
	}
	return nil
}
