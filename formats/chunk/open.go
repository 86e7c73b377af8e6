package chunk

import "encoding/binary"

// Open is a view over an encoded chunk, which must be all of buf, start at a multiple
// of 64 (*BufferError) and neither change nor go away while the view is used. Nothing
// is copied but names. The structure is checked, in microseconds: the header by its
// hash, every buffer's place and length, the first and last offset. What the buffers
// hold is for Verify and Validate. Damage is a *CorruptError, a chunk from the future
// a *VersionError.
func Open(buf []byte) (*Chunk, error) {
	if off := misaligned(buf); off != 0 {
		return nil, &BufferError{Need: len(buf), Have: len(buf), Misaligned: off}
	}
	return OpenUnaligned(buf)
}

// OpenUnaligned is Open for a buf that may begin at any address. What the view gives out is
// then as little aligned: single values can be read on processors that load them from any
// address, as amd64 and arm64 do, but atomic operations and other programs want more.
func OpenUnaligned(buf []byte) (*Chunk, error) {
	if len(buf) < tailSize || len(buf)%alignment != 0 {
		return nil, corrupt("trailer", "%d bytes are no chunk: it is cut short or something else", len(buf))
	}
	version, header, err := readTrailer(buf)
	if err != nil {
		return nil, err
	}
	schema, batch, err := splitHeader(header)
	if err != nil {
		return nil, err
	}
	return decode(version, schema, batch, buf[len(header):len(buf)-tailSize])
}

// splitHeader takes the two messages out of their frames.
func splitHeader(header []byte) (schema, batch []byte, err error) {
	schema, rest, ok := cutFrame(header)
	if ok {
		batch, rest, ok = cutFrame(rest)
	}
	if !ok || len(rest) != 0 {
		return nil, nil, corrupt("header", "not two Arrow messages")
	}
	return schema, batch, nil
}

func cutFrame(b []byte) (message, rest []byte, ok bool) {
	if len(b) < frameSize || binary.LittleEndian.Uint32(b) != continuation {
		return nil, nil, false
	}
	n := int(binary.LittleEndian.Uint32(b[4:]))
	b = b[frameSize:]
	if n > len(b) {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}

func decode(version uint32, schemaMessage, batchMessage, body []byte) (*Chunk, error) {
	s, err := decodeSchema(version, schemaMessage)
	if err != nil {
		return nil, err
	}
	r, err := newBodyReader(batchMessage, body)
	if err != nil {
		return nil, err
	}
	if len(s.sums) != len(r.spans) {
		return nil, corrupt("header", "%d checksums for %d buffers", len(s.sums), len(r.spans))
	}
	t := r.topology(s)
	columns := r.columns(s)
	defer releaseColumns(columns)
	if err := r.finish(); err != nil {
		return nil, err
	}
	if err := checkMeta(s.meta); err != nil {
		return nil, corrupt("header", "%v", err)
	}
	if err := checkLengths(s.meta, t); err != nil {
		return nil, corrupt("header", "%v", err)
	}
	return assemble(s.head, t, columns), nil
}
