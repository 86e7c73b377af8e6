package chunk

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// CorruptError says that encoded bytes are not those that were written. The chunk
// must be read again from an undamaged copy.
type CorruptError struct {
	Part    string // which part of the encoding: "trailer", "header", "edges offsets" …
	Problem string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("chunk is damaged: %s: %s", e.Part, e.Problem)
}

func corrupt(part, format string, args ...any) error {
	return &CorruptError{Part: part, Problem: fmt.Sprintf(format, args...)}
}

// VersionError says that a chunk was written by a later version of this package.
type VersionError struct {
	Found, Supported uint32
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("chunk has format version %d; this program reads up to %d: use a newer one", e.Found, e.Supported)
}

// InvalidError says that a chunk's content contradicts itself: lengths, order or ranges.
type InvalidError struct {
	Part    string // "offsets", "neighbors", "vertices", "column weight" …
	Problem string
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("chunk is invalid: %s: %s", e.Part, e.Problem)
}

func invalid(part, format string, args ...any) error {
	return &InvalidError{Part: part, Problem: fmt.Sprintf(format, args...)}
}

// TypeError says that a chunk cannot hold an edge column of this Arrow type.
type TypeError struct {
	Column string
	Type   arrow.DataType
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("edge column %q has type %s, which a chunk cannot hold: convert it to a number, boolean, string, binary, time or a list of one of these",
		e.Column, e.Type)
}

// TooManyEdgesError says that a chunk would need offsets beyond int32. The interval must be split.
type TooManyEdgesError struct {
	Edges uint64
}

func (e *TooManyEdgesError) Error() string {
	return fmt.Sprintf("%d edges do not fit one chunk, which holds at most %d: make its row interval smaller", e.Edges, maxEdges)
}

// ColumnError says that a chunk has no edge column of this name.
type ColumnError struct {
	Column string
	Have   []string
}

func (e *ColumnError) Error() string {
	if len(e.Have) == 0 {
		return fmt.Sprintf("chunk has no edge column %q; it has none at all", e.Column)
	}
	return fmt.Sprintf("chunk has no edge column %q; it has %s", e.Column, strings.Join(e.Have, ", "))
}

// BufferError says that the memory handed to Open or EncodeTo does not serve: it is
// too short or does not start at a multiple of 64 bytes. Aligned makes one that does.
type BufferError struct {
	Need, Have int // bytes
	Misaligned int // address modulo 64
}

func (e *BufferError) Error() string {
	if e.Misaligned != 0 {
		return fmt.Sprintf("buffer starts %d bytes after a multiple of %d: chunks need aligned memory", e.Misaligned, alignment)
	}
	return fmt.Sprintf("buffer has %d bytes; the chunk needs %d", e.Have, e.Need)
}
