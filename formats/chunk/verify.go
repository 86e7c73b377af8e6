package chunk

import "github.com/penstock-db/penstock/formats/chunk/internal/encoding"

// Verify compares every buffer with its checksum, reading all of it once. Damage is a
// *CorruptError that names the buffer. A chunk that was made by FromCSR has no
// checksums yet and always passes.
func (c *Chunk) Verify() error {
	sums := c.checksums()
	if sums == nil {
		return nil
	}
	for i, b := range encoding.LayoutOf(c.record).Blocks {
		if got := encoding.Sum(c.version, b.Bytes); got != sums[i] {
			return encoding.Corrupt(b.Part, "checksum is %016x; %016x was written", got, sums[i])
		}
	}
	return nil
}
