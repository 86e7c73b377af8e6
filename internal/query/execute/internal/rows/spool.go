package rows

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store"
)

// Spool is rows in a temporary file: first they are written, then they are read.
type Spool struct {
	file    *os.File
	to      *bufio.Writer
	from    *bufio.Reader
	width   int // values of a row
	rows    int
	scratch []byte
}

const spoolBuffer = 64 << 10

// NewSpool is a temporary file in a directory, for rows of width values.
func NewSpool(dir string, width int) (*Spool, error) {
	file, err := os.CreateTemp(dir, "penstock-rows-*")
	if err != nil {
		return nil, err
	}
	return &Spool{file: file, to: bufio.NewWriterSize(store.LeaveRoom(dir, file), spoolBuffer), width: width}, nil
}

// Add writes a row.
func (s *Spool) Add(row []value.Value) error {
	s.rows++
	s.scratch = appendRow(s.scratch[:0], row)
	var length [binary.MaxVarintLen64]byte
	if _, err := s.to.Write(binary.AppendUvarint(length[:0], uint64(len(s.scratch)))); err != nil {
		return err
	}
	_, err := s.to.Write(s.scratch)
	return err
}

// Rewind ends writing: Next reads from the beginning.
func (s *Spool) Rewind() error {
	if err := s.to.Flush(); err != nil {
		return err
	}
	s.to = nil
	_, err := s.file.Seek(0, io.SeekStart)
	s.from = bufio.NewReaderSize(s.file, spoolBuffer)
	return err
}

// Next is the next row; nil: there is none.
func (s *Spool) Next() ([]value.Value, error) {
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

// Drop removes the file.
func (s *Spool) Drop() {
	s.file.Close()
	os.Remove(s.file.Name())
}
