package chunk

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/cespare/xxhash/v2"
)

// sumBlock is how much EncodeTo copies before it reads it again for the checksum: it stays in a core's cache.
const sumBlock = 128 << 10

// EncodedSize is how many bytes EncodeTo writes: a multiple of 64. It takes
// microseconds, however large the chunk is.
func (c *Chunk) EncodedSize() int {
	b := layoutOf(c.record).batch()
	return headerSize(c.record.Schema(), b) + b.size() + tailSize
}

// EncodeTo writes the chunk to the start of dst and returns its length, EncodedSize.
// Every buffer is copied once, to a multiple of 64 bytes from the start of dst, which
// must be so aligned itself and long enough (*BufferError). Checksums that the chunk
// was opened with are written again, so damage that Verify would have found in c it
// finds in the copy.
func (c *Chunk) EncodeTo(dst []byte) (int, error) {
	return c.place(dst, func(body []byte, blocks []block, sums []uint64) ([]uint64, error) {
		if sums == nil {
			return copySummed(c.version, body, blocks), nil
		}
		copyBlocks(body, blocks)
		return sums, nil
	})
}

// place writes the chunk to dst. copyTo is given its checksums, nil when there are none
// yet, copies the blocks, and says which checksums to write.
func (c *Chunk) place(dst []byte, copyTo func(body []byte, blocks []block, sums []uint64) ([]uint64, error)) (int, error) {
	l := layoutOf(c.record)
	b := l.batch()
	start := headerSize(c.record.Schema(), b)
	end := start + b.size()
	if err := checkBuffer(dst, end+tailSize); err != nil {
		return 0, err
	}
	sums, err := copyTo(dst[start:end], l.blocks, c.checksums())
	if err != nil {
		return 0, err
	}
	return frame(dst, c.version, end, encodeHeader(c.record.Schema(), b, sums)), nil
}

// headerSize is how long encodeHeader's answer will be.
func headerSize(schema *arrow.Schema, b batch) int {
	return len(encodeHeader(schema, b, make([]uint64, len(b.sizes))))
}

// frame puts a header before a body that ends at end, and the trailer behind it. It
// returns the length of all.
func frame(dst []byte, version uint32, end int, header []byte) int {
	t := trailer{version: version, header: uint32(copy(dst, header)), length: uint64(end + tailSize), hash: xxhash.Sum64(header)}
	t.encode(dst[end : end+tailSize])
	return end + tailSize
}

func checkBuffer(dst []byte, need int) error {
	if off := misaligned(dst); off != 0 || len(dst) < need {
		return &BufferError{Need: need, Have: len(dst), Misaligned: off}
	}
	return nil
}

// checksums are those of all blocks, or nil when the chunk was not opened but made.
func (c *Chunk) checksums() []uint64 {
	sums := c.topology.sums
	if sums == nil {
		return nil
	}
	sums = sums[:len(sums):len(sums)]
	for _, col := range c.columns {
		sums = append(sums, col.sums...)
	}
	return sums
}

func copyBlocks(body []byte, blocks []block) {
	for _, b := range blocks {
		n := copy(body, b.bytes)
		clear(body[n:align(n)])
		body = body[align(n):]
	}
}

func copySummed(version uint32, body []byte, blocks []block) []uint64 {
	sums := make([]uint64, len(blocks))
	for i, b := range blocks {
		n := len(b.bytes)
		sums[i] = copySum(version, body, b.bytes)
		clear(body[n:align(n)])
		body = body[align(n):]
	}
	return sums
}

// copySum copies src and is its checksum.
func copySum(version uint32, dst, src []byte) uint64 {
	if len(src) <= sumBlock {
		return sum(version, dst[:copy(dst, src)])
	}
	digest := newDigest(version)
	for at := 0; at < len(src); at += sumBlock {
		n := copy(dst[at:], src[at:min(at+sumBlock, len(src))])
		_, _ = digest.Write(dst[at : at+n]) // never fails
	}
	return digest.Sum64()
}
