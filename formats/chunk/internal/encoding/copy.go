package encoding

// sumBlock is how much CopySummed copies before it reads it again for the checksum: it stays in a core's cache.
const sumBlock = 128 << 10

// Copy copies blocks to a body.
func Copy(body []byte, blocks []Block) {
	for _, b := range blocks {
		n := copy(body, b.Bytes)
		clear(body[n:Align(n)])
		body = body[Align(n):]
	}
}

// CopySummed copies blocks to a body and returns the checksum of each.
func CopySummed(version uint32, body []byte, blocks []Block) []uint64 {
	sums := make([]uint64, len(blocks))
	for i, b := range blocks {
		n := len(b.Bytes)
		sums[i] = copySum(version, body, b.Bytes)
		clear(body[n:Align(n)])
		body = body[Align(n):]
	}
	return sums
}

// copySum copies src and is its checksum.
func copySum(version uint32, dst, src []byte) uint64 {
	if len(src) <= sumBlock {
		return Sum(version, dst[:copy(dst, src)])
	}
	digest := newDigest(version)
	for at := 0; at < len(src); at += sumBlock {
		n := copy(dst[at:], src[at:min(at+sumBlock, len(src))])
		_, _ = digest.Write(dst[at : at+n]) // never fails
	}
	return digest.Sum64()
}

// Carve cuts a batch's buffers out of a body and clears the padding behind them.
func (b Batch) Carve(body []byte) [][]byte {
	buffers := make([][]byte, len(b.Sizes))
	for i, size := range b.Sizes {
		buffers[i] = body[:size:size]
		clear(body[size:Align(size)])
		body = body[Align(size):]
	}
	return buffers
}
