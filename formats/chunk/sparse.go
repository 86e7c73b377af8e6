package chunk

import "github.com/penstock-db/penstock/formats/chunk/internal/encoding"

// OpenSparse opens an encoded chunk of which not all is in buf, which is as long as the chunk. fetch is to
// put the bytes [from, to) into buf, undamaged, before they are looked at: those of the end, of the header, and of the
// buffers before the neighbors. neighbors is where these begin in buf. The chunk that is returned has no edge columns,
// and of Neighbors only what has been fetched may be looked at. The stored chunk's own edge columns must be of fixed
// width (see Width). Damage is a *CorruptError, a chunk from the future a *VersionError; errors of fetch are returned
// as they are.
func OpenSparse(buf []byte, fetch func(from, to int) error) (c *Chunk, neighbors int, err error) {
	if len(buf) < encoding.TailSize {
		return nil, 0, encoding.Corrupt("trailer", "%d bytes are no chunk", len(buf))
	}
	if err := fetch(len(buf)-encoding.TailSize, len(buf)); err != nil {
		return nil, 0, err
	}
	length, err := encoding.HeaderLength(buf)
	if err != nil {
		return nil, 0, err
	}
	if err := fetch(0, length); err != nil {
		return nil, 0, err
	}
	header, err := encoding.ReadHeader(buf)
	if err != nil {
		return nil, 0, err
	}
	h, err := parseMetadata(header)
	if err != nil {
		return nil, 0, err
	}
	neighbors = length + header.BeforeNeighbors(h.stats.Rows)
	if neighbors > len(buf)-encoding.TailSize {
		return nil, 0, encoding.Corrupt("header", "%d rows do not fit a chunk of %d bytes", h.stats.Rows, len(buf))
	}
	if err := fetch(length, neighbors); err != nil {
		return nil, 0, err
	}
	whole, err := OpenUnaligned(buf)
	if err != nil {
		return nil, 0, err
	}
	defer whole.Release()
	c, err = whole.Project()
	return c, neighbors, err
}
