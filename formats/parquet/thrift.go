package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A footer and the header of a page are structures of Thrift's compact protocol (Apache
// Thrift, doc/specs/thrift-compact-protocol.md). parquet-go makes room for as many elements
// and bytes as a list or a text claims before it reads them, so weigh reads such a structure
// first: it holds nothing.

// What the decoded form of an element of a list takes, in bytes: of structures the largest is
// that of a column of a row group.
const structBytes, elementBytes = 512, 16

// maxDepth is how deep structures and lists may lie in one another. Parquet's are 6 deep.
const maxDepth = 32

// The protocol's types.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

var errNoThrift = errors.New("it is no structure of Thrift's compact protocol")

// scale weighs a structure.
type scale struct {
	in    *bufio.Reader
	left  int64 // bytes that there are
	spare int64 // bytes that the decoded structure may still take
}

// weigh reads one structure, of at most size bytes, from the beginning of in. It fails when
// the structure claims more than is there, or when it takes more than memory once it is decoded.
func weigh(in io.Reader, size, memory int64) error {
	s := &scale{in: bufio.NewReader(io.LimitReader(in, size)), left: size, spare: memory}
	if err := s.structure(0); err != nil {
		return fmt.Errorf("after %d bytes: %w", size-s.left, err)
	}
	return nil
}

// take counts bytes of the decoded structure.
func (s *scale) take(bytes int64) error {
	if s.spare -= bytes; s.spare < 0 {
		return errors.New("its description takes more memory than it may")
	}
	return nil
}

// ReadByte makes s an io.ByteReader.
func (s *scale) ReadByte() (byte, error) {
	b, err := s.in.ReadByte()
	if err != nil {
		return 0, io.ErrUnexpectedEOF
	}
	s.left--
	return b, nil
}

// count reads how many elements or bytes follow: no more than there are bytes.
func (s *scale) count() (int64, error) {
	n, err := binary.ReadUvarint(s)
	if err != nil {
		return 0, err
	}
	if n > uint64(s.left) {
		return 0, fmt.Errorf("it claims %d more elements or bytes of %d", n, s.left)
	}
	return int64(n), nil
}

func (s *scale) skip(n int64) error {
	s.left -= n
	if _, err := s.in.Discard(int(n)); err != nil {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func (s *scale) structure(depth int) error {
	for {
		head, err := s.ReadByte()
		if err != nil || head == 0 {
			return err
		}
		if head>>4 == 0 { // the field's number follows
			if _, err := binary.ReadUvarint(s); err != nil {
				return err
			}
		}
		if kind := head & 15; kind != thriftTrue && kind != thriftFalse { // which are their own values
			if err := s.value(kind, depth+1); err != nil {
				return err
			}
		}
	}
}

func (s *scale) value(kind byte, depth int) error {
	if depth > maxDepth {
		return errNoThrift
	}
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return s.skip(1)
	case 4, 5, 6: // integers of 16, 32 and 64 bits
		_, err := binary.ReadUvarint(s)
		return err
	case thriftDouble:
		return s.skip(8)
	case thriftBinary:
		n, err := s.count()
		if err != nil {
			return err
		}
		return errors.Join(s.take(n), s.skip(n))
	case thriftList, thriftSet:
		return s.list(depth)
	case thriftMap:
		return s.entries(depth)
	case thriftStruct:
		return s.structure(depth)
	}
	return errNoThrift
}

func (s *scale) list(depth int) error {
	head, err := s.ReadByte()
	if err != nil {
		return err
	}
	n := int64(head >> 4)
	if n == 15 {
		if n, err = s.count(); err != nil {
			return err
		}
	}
	return s.elements(n, depth, head&15)
}

func (s *scale) entries(depth int) error {
	n, err := s.count()
	if err != nil || n == 0 {
		return err
	}
	kinds, err := s.ReadByte()
	if err != nil {
		return err
	}
	return s.elements(n, depth, kinds>>4, kinds&15)
}

// elements reads n elements of these kinds each. Each takes a byte at the least.
func (s *scale) elements(n int64, depth int, kinds ...byte) error {
	for range n {
		for _, kind := range kinds {
			bytes := int64(elementBytes)
			if kind == thriftStruct {
				bytes = structBytes
			}
			if err := errors.Join(s.take(bytes), s.value(kind, depth+1)); err != nil {
				return err
			}
		}
	}
	return nil
}
