package store

import (
	"bufio"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/store/internal/space"
)

// spool keeps blocks of bytes in the order in which they come: in memory up to a
// limit, from there on in a file. Each block has a mark of one byte.
type spool struct {
	path   string // of the file
	limit  int64  // bytes kept in memory
	slab   []byte // of which the next blocks may be cut
	blocks []spooled
	size   int64
	file   *space.TempFile
	out    *bufio.Writer
}

// spooled is a block: held, or in the file.
type spooled struct {
	held   []byte
	at     int64
	length int
	mark   byte
}

const spoolBuffer = 1 << 20

func newSpool(path string, limit int64) *spool { return &spool{path: path, limit: limit} }

// slabShare-th of the limit is the most that a slab takes.
const slabShare, leastSlab, mostSlab = 16, 4 << 20, 32 << 20

// room is an empty block for so many bytes. Of memory that holds many blocks, they are cut
// from slabs: large pages make for few faults.
func (s *spool) room(bytes int) []byte {
	slab := int(min(s.limit/slabShare, mostSlab))
	if s.file != nil || slab < max(leastSlab, bytes) {
		return make([]byte, 0, bytes)
	}
	if cap(s.slab)-len(s.slab) < bytes {
		s.slab = make([]byte, 0, slab)
		pages.Huge(s.slab)
	}
	from := len(s.slab)
	s.slab = s.slab[:from+bytes]
	return s.slab[from : from : from+bytes]
}

// append takes block, which the caller must not touch again.
func (s *spool) append(mark byte, block []byte) error {
	b := spooled{held: block, at: s.size, length: len(block), mark: mark}
	s.size += int64(len(block))
	if s.file == nil && s.size > s.limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if s.file != nil {
		if err := s.write(&b); err != nil {
			return err
		}
	}
	s.blocks = append(s.blocks, b)
	return nil
}

// keep holds no more than limit in memory.
func (s *spool) keep(limit int64) error {
	if s.limit = limit; s.inMemory() <= limit {
		return nil
	}
	return s.spill()
}

// spill moves what is held in memory to the file.
func (s *spool) spill() error {
	file, err := space.CreateTemp(filepath.Dir(s.path), s.path)
	if err != nil {
		return err
	}
	s.file, s.out, s.slab = &file, bufio.NewWriterSize(file, spoolBuffer), nil
	for i := range s.blocks {
		if err := s.write(&s.blocks[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *spool) write(b *spooled) error {
	_, err := s.out.Write(b.held)
	b.held = nil
	return err
}

// finish must be called after the last append and before the first read.
func (s *spool) finish() error {
	if s.out == nil {
		return nil
	}
	return s.out.Flush()
}

// read is block number i, which may lie in buffer. Several goroutines may call it at once.
func (s *spool) read(i int, buffer []byte) (mark byte, block []byte, err error) {
	b := &s.blocks[i]
	if s.file == nil {
		return b.mark, b.held, nil
	}
	if cap(buffer) < b.length {
		buffer = make([]byte, b.length)
	}
	_, err = s.file.ReadAt(buffer[:b.length], b.at)
	return b.mark, buffer[:b.length], err
}

// each yields the blocks in order; several goroutines may call it at once. A block is
// valid until yield returns.
func (s *spool) each(yield func(mark byte, block []byte) error) error {
	var buffer []byte
	for i := range s.blocks {
		mark, block, err := s.read(i, buffer)
		if err != nil {
			return err
		}
		if err := yield(mark, block); err != nil {
			return err
		}
		if s.file != nil {
			buffer = block
		}
	}
	return nil
}

// inMemory is how many bytes are held.
func (s *spool) inMemory() int64 {
	if s.file != nil {
		return 0
	}
	return s.size
}

// close removes the file.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Remove()
}
