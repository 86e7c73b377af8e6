package chunk

import "github.com/penstock-db/penstock/formats/chunk/internal/encoding"

// EncodedSize is how many bytes EncodeTo writes: a multiple of 64. It takes
// microseconds, however large the chunk is.
func (c *Chunk) EncodedSize() int {
	return encoding.Size(c.version, c.record.Schema(), encoding.LayoutOf(c.record).Batch())
}

// EncodeTo writes the chunk to the start of dst and returns its length, EncodedSize.
// Every buffer is copied once, to a multiple of 64 bytes from the start of dst, which
// must be so aligned itself and long enough (*BufferError). Checksums that the chunk
// was opened with are written again, so damage that Verify would have found in c it
// finds in the copy.
func (c *Chunk) EncodeTo(dst []byte) (int, error) {
	return c.place(dst, func(body []byte, blocks []encoding.Block, sums []uint64) ([]uint64, error) {
		if sums == nil {
			return encoding.CopySummed(c.version, body, blocks), nil
		}
		encoding.Copy(body, blocks)
		return sums, nil
	})
}

// place writes the chunk to dst. copyTo is given its checksums, nil when there are none
// yet, copies the blocks, and says which checksums to write.
func (c *Chunk) place(dst []byte, copyTo func(body []byte, blocks []encoding.Block, sums []uint64) ([]uint64,
	error)) (int, error) {
	l := encoding.LayoutOf(c.record)
	return encoding.Write(dst, c.version, c.record.Schema(), l.Batch(), func(body []byte) ([]uint64, error) {
		return copyTo(body, l.Blocks, c.checksums())
	})
}

// checksums are those of all blocks, or nil when the chunk was not opened but made.
func (c *Chunk) checksums() []uint64 {
	sums := c.topology.Sums
	if sums == nil {
		return nil
	}
	sums = sums[:len(sums):len(sums)]
	for _, col := range c.columns {
		sums = append(sums, col.Sums...)
	}
	return sums
}
