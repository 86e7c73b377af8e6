package store

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"path/filepath"
)

// spool keeps blocks of bytes in the order in which they come: in memory up to a
// limit, from there on in a file. Each block has a mark of one byte.
type spool struct {
	path  string // of the file
	limit int64  // bytes kept in memory
	held  [][]byte
	marks []byte
	size  int64
	file  *tempFile
	out   *bufio.Writer
}

const spoolBuffer = 1 << 20

func newSpool(path string, limit int64) *spool { return &spool{path: path, limit: limit} }

// append copies block.
func (s *spool) append(mark byte, block []byte) error {
	s.size += int64(len(block))
	if s.file == nil && s.size <= s.limit {
		s.held = append(s.held, append([]byte(nil), block...))
		s.marks = append(s.marks, mark)
		return nil
	}
	if s.file == nil {
		if err := s.spill(); err != nil {
			return err
		}
	}
	return s.write(mark, block)
}

// spill moves what is held in memory to the file.
func (s *spool) spill() error {
	file, err := createTemp(filepath.Dir(s.path), s.path)
	if err != nil {
		return err
	}
	s.file, s.out = &file, bufio.NewWriterSize(file, spoolBuffer)
	for i, block := range s.held {
		if err := s.write(s.marks[i], block); err != nil {
			return err
		}
	}
	s.held, s.marks = nil, nil
	return nil
}

func (s *spool) write(mark byte, block []byte) error {
	header := binary.LittleEndian.AppendUint32(nil, uint32(len(block)))
	if _, err := s.out.Write(append(header, mark)); err != nil {
		return err
	}
	_, err := s.out.Write(block)
	return err
}

// finish must be called after the last append and before each.
func (s *spool) finish() error {
	if s.out == nil {
		return nil
	}
	return s.out.Flush()
}

// each yields the blocks in order; several goroutines may call it at once. A block is
// valid until yield returns.
func (s *spool) each(yield func(mark byte, block []byte) error) error {
	for i, block := range s.held {
		if err := yield(s.marks[i], block); err != nil {
			return err
		}
	}
	if s.file == nil {
		return nil
	}
	in := bufio.NewReaderSize(io.NewSectionReader(s.file, 0, 1<<62), spoolBuffer)
	var header [5]byte
	var block []byte
	for {
		if _, err := io.ReadFull(in, header[:]); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		n := int(binary.LittleEndian.Uint32(header[:]))
		if cap(block) < n {
			block = make([]byte, n)
		}
		if _, err := io.ReadFull(in, block[:n]); err != nil {
			return err
		}
		if err := yield(header[4], block[:n]); err != nil {
			return err
		}
	}
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
	return s.file.remove()
}
