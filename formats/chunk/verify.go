package chunk

// Verify compares every buffer with its checksum, reading all of it once. Damage is a
// *CorruptError that names the buffer. A chunk that was made by FromCSR has no
// checksums yet and always passes.
func (c *Chunk) Verify() error {
	sums := c.checksums()
	if sums == nil {
		return nil
	}
	for i, b := range layoutOf(c.record).blocks {
		if got := sum(c.version, b.bytes); got != sums[i] {
			return corrupt(b.part, "checksum is %016x; %016x was written", got, sums[i])
		}
	}
	return nil
}
