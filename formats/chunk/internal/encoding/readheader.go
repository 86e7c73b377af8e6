package encoding

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v15/arrow"
)

// Header is what the end of an encoded chunk and its schema message say. It is checked but for the metadata's values,
// and the buffers of the body.
type Header struct {
	Version      uint32
	HasVertices  bool
	Columns      []arrow.Field
	Keys, Values []string // of the schema's metadata, but for the checksums
	sums         []uint64 // of the buffers that are checked
	batch, body  []byte
}

// ReadHeader takes an encoded chunk apart, which is all of buf. Damage is a *CorruptError, a chunk from the future a
// *VersionError.
func ReadHeader(buf []byte) (*Header, error) {
	if len(buf) < TailSize || len(buf)%Alignment != 0 {
		return nil, Corrupt("trailer", "%d bytes are no chunk: it is cut short or something else", len(buf))
	}
	version, header, err := readTrailer(buf)
	if err != nil {
		return nil, err
	}
	schema, batch, err := splitHeader(header)
	if err != nil {
		return nil, err
	}
	h := &Header{Version: version, batch: batch, body: buf[len(header) : len(buf)-TailSize]}
	return h, h.readSchema(schema)
}

// BeforeNeighbors is how many bytes of the body lie before the neighbors of so many rows.
func (h *Header) BeforeNeighbors(rows int) int {
	before := Align(4 * (rows + 1)) // offsets
	if h.HasVertices {
		before += Align(4 * rows)
	}
	return before
}

// splitHeader takes the two messages out of their frames.
func splitHeader(header []byte) (schema, batch []byte, err error) {
	schema, rest, ok := cutFrame(header)
	if ok {
		batch, rest, ok = cutFrame(rest)
	}
	if !ok || len(rest) != 0 {
		return nil, nil, Corrupt("header", "not two Arrow messages")
	}
	return schema, batch, nil
}

func cutFrame(b []byte) (message, rest []byte, ok bool) {
	if len(b) < FrameSize || binary.LittleEndian.Uint32(b) != continuation {
		return nil, nil, false
	}
	n := int(binary.LittleEndian.Uint32(b[4:]))
	b = b[FrameSize:]
	if n > len(b) {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}
