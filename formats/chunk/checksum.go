package chunk

import (
	"hash"

	"github.com/cespare/xxhash/v2"
	"github.com/zeebo/xxh3"
)

// sum is the checksum of a buffer in a chunk of that version.
func sum(version uint32, buffer []byte) uint64 {
	if version == 1 {
		return xxhash.Sum64(buffer)
	}
	return xxh3.Hash(buffer)
}

// newDigest makes sum of a buffer's parts.
func newDigest(version uint32) hash.Hash64 {
	if version == 1 {
		return xxhash.New()
	}
	return xxh3.New()
}
