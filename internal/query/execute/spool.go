package execute

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"github.com/penstock-db/penstock/formats/value"
)

// spool is rows in a temporary file: first they are written, then they are read.
type spool struct {
	file    *os.File
	to      *bufio.Writer
	from    *bufio.Reader
	width   int // values of a row
	rows    int
	scratch []byte
}

const spoolBuffer = 64 << 10

func (f *frame) newSpool(width int) (*spool, error) {
	file, err := os.CreateTemp(f.memory.limits.TempDir, "penstock-rows-*")
	if err != nil {
		return nil, err
	}
	return &spool{file: file, to: bufio.NewWriterSize(file, spoolBuffer), width: width}, nil
}

// add writes a row.
func (s *spool) add(row []value.Value) error {
	s.rows++
	s.scratch = appendRow(s.scratch[:0], row)
	var length [binary.MaxVarintLen64]byte
	if _, err := s.to.Write(binary.AppendUvarint(length[:0], uint64(len(s.scratch)))); err != nil {
		return err
	}
	_, err := s.to.Write(s.scratch)
	return err
}

// rewind ends writing: next reads from the beginning.
func (s *spool) rewind() error {
	if err := s.to.Flush(); err != nil {
		return err
	}
	s.to = nil
	_, err := s.file.Seek(0, io.SeekStart)
	s.from = bufio.NewReaderSize(s.file, spoolBuffer)
	return err
}

// next is the next row; nil: there is none.
func (s *spool) next() ([]value.Value, error) {
	length, err := binary.ReadUvarint(s.from)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if uint64(cap(s.scratch)) < length {
		s.scratch = make([]byte, length)
	}
	s.scratch = s.scratch[:length]
	if _, err := io.ReadFull(s.from, s.scratch); err != nil {
		return nil, err
	}
	row := make([]value.Value, s.width)
	_, err = decodeRow(s.scratch, row)
	return row, err
}

// drop removes the file.
func (s *spool) drop() {
	s.file.Close()
	os.Remove(s.file.Name())
}
