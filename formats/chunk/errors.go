package chunk

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk/internal/check"
	"github.com/penstock-db/penstock/formats/chunk/internal/encoding"
)

// CorruptError says that encoded bytes are not those that were written. The chunk
// must be read again from an undamaged copy. Its Part names what is damaged: "trailer",
// "header", "edges offsets" …; its Problem says how.
type CorruptError = encoding.CorruptError

// VersionError says that a chunk was written by a later version of this package: its
// version is Found, and all up to Supported can be read.
type VersionError = encoding.VersionError

// BufferError says that the memory handed to Open or EncodeTo does not serve: it has less
// bytes, Have, than it Needs, or starts so many bytes, Misaligned, after a multiple of 64.
// Aligned makes one that does.
type BufferError = encoding.BufferError

// InvalidError says that a chunk's content contradicts itself: lengths, order or ranges.
// Its Part names where: "offsets", "neighbors", "vertices", "column weight" …; its Problem
// says how.
type InvalidError = check.InvalidError

// TypeError says that a chunk cannot hold an edge column of this Arrow type.
type TypeError struct {
	Column string
	Type   arrow.DataType
}

func (e *TypeError) Error() string {
	return fmt.Sprintf(
		"edge column %q has type %s, which a chunk cannot hold: convert it to a number, boolean, string, binary, time or a list of one of these",
		e.Column, e.Type)
}

// TooManyEdgesError says that a chunk would need offsets beyond int32. The interval must be split.
type TooManyEdgesError struct {
	Edges uint64
}

func (e *TooManyEdgesError) Error() string {
	return fmt.Sprintf("%d edges do not fit one chunk, which holds at most %d: make its row interval smaller", e.Edges,
		maxEdges)
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
