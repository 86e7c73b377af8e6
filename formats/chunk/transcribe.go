package chunk

import "github.com/penstock-db/penstock/formats/chunk/internal/encoding"

// Transcribe copies an encoded chunk with its topology and only these edge columns, in
// this order, to the start of dst, as EncodeTo would, and returns the length. What it
// copies it compares with its checksums on the way, so that memory is read once; damage
// is a *CorruptError. Other than for Open, encoded may lie anywhere. Before it copies, it
// asks check whether this is the chunk that was meant.
func Transcribe(dst, encoded []byte, check func(Meta) error, columns ...string) (int, error) {
	c, err := OpenUnaligned(encoded)
	if err != nil {
		return 0, err
	}
	defer c.Release()
	if err := check(c.Meta()); err != nil {
		return 0, err
	}
	p, err := c.Project(columns...)
	if err != nil {
		return 0, err
	}
	defer p.Release()
	return p.place(dst, p.copyChecked)
}

// copyChecked copies blocks, whose checksums must be sums.
func (c *Chunk) copyChecked(body []byte, blocks []encoding.Block, sums []uint64) ([]uint64, error) {
	for i, got := range encoding.CopySummed(c.version, body, blocks) {
		if got != sums[i] {
			return nil, encoding.Corrupt(blocks[i].Part, "checksum is %016x; %016x was written", got, sums[i])
		}
	}
	return sums, nil
}
