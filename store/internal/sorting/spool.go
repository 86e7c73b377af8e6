package sorting

import (
	"bufio"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/store/internal/space"
)

// Spool keeps blocks of bytes in the order in which they come: in memory up to a
// limit, from there on in a file. Each block has a mark of one byte.
type Spool struct {
	Path   string // of the file
	Limit  int64  // bytes kept in memory
	slab   []byte // of which the next blocks may be cut
	Blocks []spooled
	Size   int64
	File   *space.TempFile
	out    *bufio.Writer
}

// spooled is a block: held, or in the file.
type spooled struct {
	Held   []byte
	at     int64
	length int
	Mark   byte
}

const spoolBuffer = 1 << 20

func NewSpool(path string, limit int64) *Spool { return &Spool{Path: path, Limit: limit} }

// slabShare-th of the limit is the most that a slab takes. The first one is small, and each further one as large as all
// before it together.
const slabShare, firstSlab, leastSlab, mostSlab = 16, 256 << 10, 4 << 20, 32 << 20

// Room is an empty block for so many bytes. Of memory that holds many blocks, they are cut
// from slabs: large pages make for few faults.
func (s *Spool) Room(bytes int) []byte {
	slab := int(min(s.Limit/slabShare, mostSlab))
	if s.File != nil || slab < max(leastSlab, bytes) {
		return make([]byte, 0, bytes)
	}
	if cap(s.slab)-len(s.slab) < bytes {
		s.slab = make([]byte, 0, max(bytes, min(slab, max(firstSlab, int(s.Size)))))
		pages.Huge(s.slab)
	}
	from := len(s.slab)
	s.slab = s.slab[:from+bytes]
	return s.slab[from : from : from+bytes]
}

// Append takes block, which the caller must not touch again.
func (s *Spool) Append(mark byte, block []byte) error {
	b := spooled{Held: block, at: s.Size, length: len(block), Mark: mark}
	s.Size += int64(len(block))
	if s.File == nil && s.Size > s.Limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if s.File != nil {
		if err := s.write(&b); err != nil {
			return err
		}
	}
	s.Blocks = append(s.Blocks, b)
	return nil
}

// Keep holds no more than limit in memory.
func (s *Spool) Keep(limit int64) error {
	if s.Limit = limit; s.InMemory() <= limit {
		return nil
	}
	return s.spill()
}

// spill moves what is held in memory to the file.
func (s *Spool) spill() error {
	file, err := space.CreateTemp(filepath.Dir(s.Path), s.Path)
	if err != nil {
		return err
	}
	s.File, s.out, s.slab = &file, bufio.NewWriterSize(file, spoolBuffer), nil
	for i := range s.Blocks {
		if err := s.write(&s.Blocks[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Spool) write(b *spooled) error {
	_, err := s.out.Write(b.Held)
	b.Held = nil
	return err
}

// Finish must be called after the last append and before the first read.
func (s *Spool) Finish() error {
	if s.out == nil {
		return nil
	}
	return s.out.Flush()
}

// Read is block number i, which may lie in buffer. Several goroutines may call it at once.
func (s *Spool) Read(i int, buffer []byte) (mark byte, block []byte, err error) {
	b := &s.Blocks[i]
	if s.File == nil {
		return b.Mark, b.Held, nil
	}
	if cap(buffer) < b.length {
		buffer = make([]byte, b.length)
	}
	_, err = s.File.ReadAt(buffer[:b.length], b.at)
	return b.Mark, buffer[:b.length], err
}

// Each yields the blocks in order; several goroutines may call it at once. A block is
// valid until yield returns.
func (s *Spool) Each(yield func(mark byte, block []byte) error) error {
	var buffer []byte
	for i := range s.Blocks {
		mark, block, err := s.Read(i, buffer)
		if err != nil {
			return err
		}
		if err := yield(mark, block); err != nil {
			return err
		}
		if s.File != nil {
			buffer = block
		}
	}
	return nil
}

// InMemory is how many bytes are held.
func (s *Spool) InMemory() int64 {
	if s.File != nil {
		return 0
	}
	return s.Size
}

// Close removes the file.
func (s *Spool) Close() error {
	if s.File == nil {
		return nil
	}
	return s.File.Remove()
}
