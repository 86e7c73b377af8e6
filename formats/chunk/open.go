package chunk

import "github.com/penstock-db/penstock/formats/chunk/internal/encoding"

// Open is a view over an encoded chunk, which must be all of buf, start at a multiple
// of 64 (*BufferError) and neither change nor go away while the view is used. Nothing
// is copied but names. The structure is checked, in microseconds: the header by its
// hash, every buffer's place and length, the first and last offset. What the buffers
// hold is for Verify and Validate. Damage is a *CorruptError, a chunk from the future
// a *VersionError.
func Open(buf []byte) (*Chunk, error) {
	if off := encoding.Misaligned(buf); off != 0 {
		return nil, &BufferError{Need: len(buf), Have: len(buf), Misaligned: off}
	}
	return OpenUnaligned(buf)
}

// OpenUnaligned is Open for a buf that may begin at any address. What the view gives out is
// then as little aligned: single values can be read on processors that load them from any
// address, as amd64 and arm64 do, but atomic operations and other programs want more.
func OpenUnaligned(buf []byte) (*Chunk, error) {
	header, err := encoding.ReadHeader(buf)
	if err != nil {
		return nil, err
	}
	h, err := parseMetadata(header)
	if err != nil {
		return nil, err
	}
	body, err := header.OpenBody()
	if err != nil {
		return nil, err
	}
	t := body.Topology(h.stats.Rows, h.stats.Edges)
	columns := body.Columns(h.stats.Edges)
	defer encoding.Release(columns)
	if err := body.Finish(); err != nil {
		return nil, err
	}
	if err := checkMeta(h.meta); err != nil {
		return nil, encoding.Corrupt("header", "%v", err)
	}
	if err := checkLengths(h.meta, t); err != nil {
		return nil, encoding.Corrupt("header", "%v", err)
	}
	return assemble(h, t, columns), nil
}
